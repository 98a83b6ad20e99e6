// The housekeeping thread: removes objects that have run out, moves the ban lurker on, and keeps the gauges that only
// time changes. It never runs on a loop.
#pragma once

#include "cache/expiry_log.hpp"
#include "cache/housekeeping.hpp"
#include "worker/lock_counters.hpp"
#include "worker/shared_state.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace clearcoat::worker {

class housekeeping final : public cache::housekeeper, private cache::ban_log, private cache::expiry_log {
  public:
    /// Both outlive it.
    housekeeping(shared_state& shared, const lock_counters& locks);
    ~housekeeping();
    housekeeping(const housekeeping&) = delete;
    housekeeping& operator=(const housekeeping&) = delete;

    void kick() noexcept override;

  private:
    void run();
    double step(double now);
    void banned(std::string_view text) noexcept override;
    bool wanted() const noexcept override;
    void expiry(std::string_view text) noexcept override;

    shared_state& shared_;
    const lock_counters& locks_;
    const double started_;
    std::mutex mutex_;
    std::condition_variable wake_;
    bool kicked_ = false;   // guarded by mutex_
    bool stopping_ = false; // guarded by mutex_
    double lurk_at_ = 0;
    std::thread thread_;
};

} // namespace clearcoat::worker
