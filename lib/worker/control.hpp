// The worker's end of the management connection and the commands that concern the worker as a whole: start, vcl.*,
// ping, help, debug.*. Runs on the process's main thread until the manager closes the connection. Compiling a VCL and
// running its vcl_init happen here, never on a loop.
#pragma once

#include "cli/registry.hpp"
#include "cli/worker_boot.hpp"
#include "worker/debug_knobs.hpp"
#include "worker/server.hpp"
#include "worker/telemetry.hpp"
#include "worker/vcl_slots.hpp"
#include "worker/vxids.hpp"

#include <memory>
#include <string>

namespace clearcoat::worker {

class control {
  public:
    /// Everything given outlives this. Makes the server; throws std::runtime_error or std::system_error.
    control(const cli::worker_boot& boot, const tables::param_block& params, telemetry& outside);
    ~control();

    /// Says "Ready", then answers commands until the connection ends.
    void run();
    /// What debug.shutdown.delay asked for (seconds).
    double shutdown_delay() const noexcept { return knobs_.shutdown_delay; }
    /// Stops serving and gives every VCL back, unless a task that would not end still uses it.
    void stop();

  private:
    void add_commands();
    void add_vcl_commands();
    void add_debug_commands();
    void list_other_commands();
    bool answer(const cli::command_line& command);

    void load_vcl(const cli::words& w, cli::reply& out);
    void show_vcl(const cli::words& w, cli::reply& out) const;
    void list_vcls(cli::reply& out) const;
    void list_vcls_json(const cli::words& w, cli::reply& out) const;
    void list_addresses(cli::reply& out) const;
    void list_modules(cli::reply& out) const;
    void set_xid(const cli::words& w, cli::reply& out);
    void count_vcls();

    const cli::worker_boot& boot_;
    const tables::param_block& params_;
    telemetry& outside_;
    debug_knobs knobs_;
    vxid_supply vxids_;
    cli::registry commands_;
    vcl_slots vcls_;
    std::unique_ptr<server> server_;
};

} // namespace clearcoat::worker
