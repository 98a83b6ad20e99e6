// The life of the worker process: start, ping, stop, death and rebirth, its panic and its last words. Runs on the
// manager's thread; starting and stopping block it for as long as the worker takes, as the reference does.
#pragma once

#include "cli/reply.hpp"
#include "manager/complaints.hpp"
#include "manager/event_loop.hpp"
#include "manager/worker_link.hpp"
#include "shm/counter_segment.hpp"
#include "sys/jail.hpp"
#include "sys/memory.hpp"
#include "sys/process.hpp"

#include <functional>
#include <optional>
#include <string>

#include <sys/types.h>

namespace clearcoat::manager {

class listeners;
class storages;

/// What every worker is started with.
struct worker_settings {
    std::string workdir;
    std::string identity;
    std::string version;
    std::string platform;
    std::vector<std::string> arguments; // the manager's own, so that both look alike to ps
    unsigned loops = 1;
    int params_fd = -1;
};

class supervisor {
  public:
    enum class state { stopped, starting, running, stopping, died };

    /// Everything given here outlives the supervisor.
    supervisor(event_loop& loop, complaints& log, const sys::jail& jail, const tables::param_block& params,
               listeners& sockets, const storages& stores, tables::mgt_counters& counters, worker_settings settings);

    /// Sends the loaded VCLs to a new worker; empty, or why it failed. Set once, before the first start.
    void set_feeder(std::function<std::string(worker_link&)> feed) { feed_ = std::move(feed); }

    /// Starts a worker where none runs; false when it does not get as far as accepting connections. `out`, where given,
    /// gets the status of a failure.
    bool start(cli::reply* out = nullptr);
    /// Asks the worker to end and waits for it; harmless where none runs.
    void stop();

    state current() const noexcept { return state_; }
    /// "running", "died, (restarting)", ... as `status` prints it.
    std::string_view state_text() const noexcept;
    /// Whether a worker process exists.
    bool has_worker() const noexcept { return pid_ > 0; }
    pid_t pid() const noexcept { return pid_; }
    worker_link& link() noexcept { return link_; }

    /// The last panic's text; empty when there was none or it was cleared.
    const std::optional<std::string>& panic() const noexcept { return panic_; }
    void clear_panic() noexcept { panic_.reset(); }
    tables::mgt_counters& counters() noexcept { return counters_; }

    /// The bits that the manager's own exit status gets: how workers ended.
    int exit_bits() const noexcept { return exit_bits_; }
    /// Called when the sockets cannot be bound again: the manager must end with status 1.
    void on_lost_sockets(std::function<void()> call) { lost_sockets_ = std::move(call); }

  private:
    bool launch();
    bool prepare_folder();
    bool spawn_worker();
    bool wait_until_ready();
    bool hand_over(cli::reply* out);
    void watch_worker();
    void ping();
    void arm_ping();
    void read_output();
    void drain_output();
    void reap();
    std::optional<sys::process_end> wait_for_end(std::string& obituary);
    void write_obituary(std::string text, const sys::process_end& end);
    void record_panic();
    void kill_worker() const noexcept;
    void link_failed();
    void after_death();
    void reopen_sockets();

    event_loop& loop_;
    complaints& log_;
    const sys::jail& jail_;
    const tables::param_block& params_;
    listeners& sockets_;
    const storages& stores_;
    tables::mgt_counters& counters_;
    worker_settings settings_;
    std::function<std::string(worker_link&)> feed_;
    std::function<void()> lost_sockets_;

    state state_ = state::stopped;
    pid_t pid_ = -1;
    worker_link link_;
    sys::unique_fd output_;
    std::string line_; // of the worker's output, not yet ended
    sys::unique_fd panic_fd_;
    sys::mapping panic_block_;
    std::optional<std::string> panic_;
    event_loop::timer ping_timer_ = 0;
    int exit_bits_ = 0;
};

} // namespace clearcoat::manager
