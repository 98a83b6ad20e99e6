// What every task machine is given: where objects, parameters, time, counters and numbers come from. References only;
// the loop that runs the tasks owns one of these, and everything it refers to outlives every task.
#pragma once

#include "base/arena.hpp"
#include "base/clock.hpp"
#include "base/log.hpp"

#include <string>

namespace clearcoat::tables {
class param_block;
struct main_counters;
} // namespace clearcoat::tables

namespace clearcoat::cache {
class index;
} // namespace clearcoat::cache

namespace clearcoat::flow {

class storage_handles;

/// Numbers for new transactions.
class vxid_source {
  public:
    virtual ~vxid_source() = default;
    virtual base::vxid_number next_vxid() noexcept = 0;
};

/// Logs for tasks, with their buffers, from the loop's pool.
class log_pool {
  public:
    virtual ~log_pool() = default;
    /// A log that stands at that transaction; give() it back when the task ends.
    virtual base::task_log& take(base::vxid_number vxid, base::log_side side) noexcept = 0;
    /// Hands over what is still buffered.
    virtual void give(base::task_log& log) noexcept = 0;
    /// One record of a transaction whose log nobody holds.
    virtual void write_one(base::vxid_number vxid, base::log_side side, log_tag tag,
                           std::string_view text) noexcept = 0;
    /// Whether the records that link an include to its page tell how deep it is, as readers of 64-bit ids expect.
    virtual bool tells_levels() const noexcept { return false; }
};

struct services {
    const base::clock& clock;
    const tables::param_block& params;
    tables::main_counters& counters;        // this loop's own delta
    tables::main_counters& shared_counters; // for tables::bump: gauges and rare events
    cache::index& cache;                    // knows the ban list and the storages too
    storage_handles& storages;              // the storages as VCL sees them
    vxid_source& vxids;
    log_pool& logs;
    base::chunk_cache& chunks;   // where workspaces come from
    const std::string& identity; // server.identity
    const std::string& hostname; // server.hostname
};

} // namespace clearcoat::flow
