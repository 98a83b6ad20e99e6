// What VCL may change for a session's later life (sess.*). Belongs to the session; its requests write it.
#pragma once

#include "base/clock.hpp"

#include <cmath>
#include <limits>

namespace clearcoat::flow {

/// Seconds; NaN where the parameter of the same name rules.
struct session_settings {
    static constexpr base::seconds unset = std::numeric_limits<base::seconds>::quiet_NaN();
    base::seconds timeout_idle = unset;
    base::seconds timeout_linger = unset;
    base::seconds send_timeout = unset;
    base::seconds idle_send_timeout = unset;

    /// The override, or `parameter`.
    static base::seconds or_parameter(base::seconds own, base::seconds parameter) noexcept {
        return std::isnan(own) ? parameter : own;
    }
};

} // namespace clearcoat::flow
