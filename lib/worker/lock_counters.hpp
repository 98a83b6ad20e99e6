// The LCK counters: the numbers that the mutexes keep themselves, brought where readers see them. Belongs to the
// housekeeping thread once it runs.
#pragma once

#include "base/counted_mutex.hpp"
#include "shm/counter_segment.hpp"

#include <functional>
#include <string_view>
#include <vector>

namespace clearcoat::worker {

class lock_counters {
  public:
    explicit lock_counters(shm::segment_directory& segments) : segments_(segments) {}

    /// A kind of mutex; `totals` may be called from any thread as long as this lives.
    void add(std::string_view kind, std::function<base::lock_totals()> totals) {
        rows_.push_back({shm::counter_segment<tables::lck_counters>(segments_, kind), std::move(totals)});
    }
    void refresh() const noexcept {
        for (const row& r : rows_) {
            const base::lock_totals now = r.totals();
            tables::store(r.shown->creat, now.mutexes);
            tables::store(r.shown->locks, now.taken);
            tables::store(r.shown->dbg_busy, now.waited);
        }
    }

  private:
    struct row {
        shm::counter_segment<tables::lck_counters> shown;
        std::function<base::lock_totals()> totals;
    };
    shm::segment_directory& segments_;
    std::vector<row> rows_;
};

} // namespace clearcoat::worker
