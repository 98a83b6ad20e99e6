// The seam between the worker's control side and the part that serves: control.cpp calls it, loops.cpp implements it.
// All calls come from the control thread.
#pragma once

#include "cli/registry.hpp"
#include "cli/worker_boot.hpp"

#include <memory>
#include <string>

namespace clearcoat::tables {
class param_block;
}

namespace clearcoat::worker {

class telemetry;
class vcl_slots;
class vcl_surroundings;
class vxid_supply;
struct debug_knobs;

/// What the serving part gets; all of it outlives the server.
struct server_context {
    const cli::worker_boot& boot;
    const tables::param_block& params;
    telemetry& outside;      // segments, log ring, MAIN counters
    cli::registry& commands; // make_server() registers ban, ban.list, backend.list, backend.set_health, ...
    vcl_slots& vcls;         // each loop makes itself a loop_vcl
    vxid_supply& vxids;      // each loop makes itself a vxid_cache
    debug_knobs& knobs;
};

class server {
  public:
    virtual ~server() = default;
    /// Where a VCL's backends and probes live. Called at vcl.load, usually before start().
    virtual std::unique_ptr<vcl_surroundings> make_surroundings(const std::string& vcl_name) = 0;
    /// Listens on every socket of the boot and accepts; empty, or why not ("Listen failed on socket ':80': ...").
    virtual std::string start() = 0;
    /// Stops accepting, shuts connections, gives tasks a short time to end, joins the threads. Harmless before start().
    /// False when some task did not end: nothing that tasks use may be destroyed any more, this neither.
    virtual bool stop() noexcept = 0;
};

/// Opens storages and loops and registers the serving commands; throws std::runtime_error when the worker cannot live.
/// Does not listen yet. Implemented in loops.cpp.
std::unique_ptr<server> make_server(const server_context& context);

} // namespace clearcoat::worker
