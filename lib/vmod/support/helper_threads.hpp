// Threads for work that may block (files, names, syslog), so that an event loop never does it. Work of one lane may run
// at once and in any order, unless the lane has one thread. Any thread may add work.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>

namespace clearcoat::vmod {

class helper_lane {
  public:
    /// At most `threads` threads, started when there is work for them, gone after ten idle seconds; at most `limit`
    /// pieces of work wait.
    helper_lane(std::size_t threads, std::size_t limit) noexcept : threads_(threads), limit_(limit) {}

    /// Whether the work was taken; `false` when too much waits already.
    bool run(std::function<void()> work);

  private:
    void serve();

    const std::size_t threads_;
    const std::size_t limit_;
    std::mutex mutex_;
    std::condition_variable more_;
    std::deque<std::function<void()>> work_; // guarded by mutex_, as the counts below
    std::size_t running_ = 0;
    std::size_t idle_ = 0;
};

/// For reading files and asking for names. Never destroyed, so that threads at work do not outlive it.
helper_lane& blocking_lane();

} // namespace clearcoat::vmod
