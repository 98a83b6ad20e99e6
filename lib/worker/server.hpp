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
namespace clearcoat::vcl {
class environment;
}

namespace clearcoat::worker {

class vcl_slots;

/// What the serving part gets; all of it outlives the server.
struct server_context {
    const cli::worker_boot& boot;
    tables::param_block& params;
    cli::registry& commands; // register ban, ban.list, backend.list, ... in make_server()
    vcl_slots& vcls;
};

class server {
  public:
    virtual ~server() = default;
    /// Where a VCL's backends and probes live, for the VCL of that name. Called at vcl.load, before start().
    virtual std::unique_ptr<vcl::environment> make_environment(const std::string& vcl_name) = 0;
    /// Listens on every socket of the boot and accepts; empty, or why not ("Listen failed on socket ':80': ...").
    virtual std::string start() = 0;
    /// The active VCL changed: loops drop their references to the old one soon (posted to each loop, not awaited).
    virtual void vcl_changed() noexcept = 0;
    /// Stops accepting, lets tasks end for a short time, shuts the rest, joins the threads.
    virtual void stop() noexcept = 0;
};

/// Opens storages, log, counters and loops, registers the serving commands; throws std::runtime_error when the worker
/// cannot live. Does not listen yet. Implemented in loops.cpp.
std::unique_ptr<server> make_server(const server_context& context);

/// Writes a record of tag CLI that belongs to no transaction ("Rd ping", "Wr 200 19 PONG ..."); implemented beside the
/// log. Harmless before the log is open.
void log_cli_record(std::string_view text) noexcept;

} // namespace clearcoat::worker
