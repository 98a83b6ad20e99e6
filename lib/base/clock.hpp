// Time as the project counts it: seconds in a double, as VCL and the log print it. Logic takes a clock, so that tests
// can turn it by hand.
#pragma once

namespace clearcoat::base {

/// Seconds since the epoch (UTC), or a span of seconds, as the name of the variable tells.
using seconds = double;

class clock {
  public:
    virtual ~clock() = default;
    /// Seconds since the epoch.
    virtual seconds real() const noexcept = 0;
    /// Seconds that never run backwards; only differences have a meaning.
    virtual seconds monotonic() const noexcept = 0;
};

/// The system's clock.
const clock& system_clock() noexcept;

} // namespace clearcoat::base
