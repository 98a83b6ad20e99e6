// Timestamp records of one task: what happened, when, how long after the task's start and after the record before.
// Belongs to the task.
#pragma once

#include "base/clock.hpp"
#include "base/log.hpp"

#include <string_view>

namespace clearcoat::flow {

class timestamps {
  public:
    /// Writes "event: now since_start since_last" (vsl(7), Timestamp). The first call is the start.
    void mark(base::log_writer& log, std::string_view event, base::seconds now) noexcept;
    /// Takes over the times of another task (a restart, a sub-request).
    void start_at(base::seconds first, base::seconds previous) noexcept {
        first_ = first;
        previous_ = previous;
    }

    /// Seconds since the epoch; negative before the first mark.
    base::seconds first() const noexcept { return first_; }
    base::seconds previous() const noexcept { return previous_; }

  private:
    base::seconds first_ = -1;
    base::seconds previous_ = -1;
};

} // namespace clearcoat::flow
