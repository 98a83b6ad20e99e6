// What all loops of a worker share: the storages, the cache and the bans, over the log and counters of telemetry. Made
// on the control thread before any loop starts, and destroyed after the last one ended. Members that write to others
// are declared behind them.
#pragma once

#include "cache/ban_list.hpp"
#include "cache/index.hpp"
#include "cache/storage/storage_set.hpp"
#include "cli/worker_boot.hpp"
#include "flow/object_reader.hpp"
#include "flow/storage_handles.hpp"
#include "shm/counter_segment.hpp"
#include "shm/log_ring.hpp"
#include "shm/segment_directory.hpp"
#include "tables/counters.hpp"
#include "tables/param_block.hpp"
#include "worker/object_events.hpp"
#include "worker/server.hpp"
#include "worker/vxids.hpp"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace clearcoat::worker {

/// The counters of each storage, by its kind.
using storage_counter_segment =
    std::variant<shm::counter_segment<tables::sma_counters>, shm::counter_segment<tables::smf_counters>>;

struct shared_state {
    /// Throws std::system_error when shared memory or a storage cannot be had.
    explicit shared_state(const server_context& context);
    shared_state(const shared_state&) = delete;
    shared_state& operator=(const shared_state&) = delete;

    const cli::worker_boot& boot;
    const tables::param_block& params;
    vxid_supply& vxids;
    shm::segment_directory& segments;
    shm::log_ring& log;
    tables::main_counters& counters;
    std::vector<storage_counter_segment> storage_counters;
    flow::object_reader reader;
    const std::unique_ptr<cache::storage_set> storages;
    flow::storage_handles storage_names;
    cache::ban_list bans;
    object_events events;
    cache::index cache;
    const std::string hostname;
};

} // namespace clearcoat::worker
