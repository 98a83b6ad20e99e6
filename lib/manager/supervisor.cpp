#include "manager/supervisor.hpp"

#include "manager/listeners.hpp"
#include "manager/storages.hpp"
#include "manager/worker_spawn.hpp"
#include "shm/segment_directory.hpp"
#include "tables/counters.hpp"
#include "tables/param_block.hpp"

#include <cerrno>
#include <cstdio>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace clearcoat::manager {

namespace {

constexpr std::size_t panic_size = 64 * 1024;

} // namespace

supervisor::supervisor(event_loop& loop, complaints& log, const sys::jail& jail, const tables::param_block& params,
                       listeners& sockets, const storages& stores, tables::mgt_counters& counters,
                       worker_settings settings)
    : loop_(loop), log_(log), jail_(jail), params_(params), sockets_(sockets), stores_(stores), counters_(counters),
      settings_(std::move(settings)), link_([this] { return params_.cli_timeout(); }, [this] { link_failed(); }),
      panic_fd_(sys::make_memfd("clearcoat-panic", panic_size)) {
    panic_block_ = sys::mapping::shared(panic_fd_.get(), panic_size);
}

std::string_view supervisor::state_text() const noexcept {
    switch (state_) {
    case state::stopped:
        return "stopped";
    case state::starting:
        return "starting";
    case state::running:
        return "running";
    case state::stopping:
        return "stopping";
    case state::died:
        break;
    }
    return "died, (restarting)";
}

bool supervisor::start(cli::reply* out) {
    if (state_ != state::stopped && state_ != state::died) {
        return false;
    }
    state_ = state::starting;
    if (!launch()) {
        state_ = state::stopped;
        if (out != nullptr) {
            out->fail(cli::status::cannot, "Child failed on launch");
        }
        return false;
    }
    return hand_over(out);
}

bool supervisor::launch() {
    if (!panic_block_) {
        log_.print(level::error, "Could not share memory for panics: {}", sys::error_text(errno));
        return false;
    }
    panic_block_.data()[0] = std::byte{0};
    return prepare_folder() && spawn_worker() && wait_until_ready();
}

bool supervisor::prepare_folder() {
    const sys::raised privileges(jail_);
    try {
        shm::segment_directory::prepare(shm::worker_folder, 0750);
    } catch (const std::system_error& e) {
        log_.print(level::error, "Cannot create {}: {}", shm::worker_folder, e.what());
        return false;
    }
    if (jail_.changes_ids() && ::chown(shm::worker_folder, jail_.worker_uid(), jail_.worker_gid()) != 0) {
        log_.print(level::error, "Cannot give {} to the worker: {}", shm::worker_folder, sys::error_text(errno));
        return false;
    }
    return true;
}

bool supervisor::spawn_worker() {
    auto [ours, theirs] = sys::make_socketpair();
    auto [output_in, output_out] = sys::make_pipe();
    const sys::worker_identity identity = jail_.worker();
    cli::worker_boot boot;
    boot.workdir = settings_.workdir;
    boot.identity = settings_.identity;
    boot.version = settings_.version;
    boot.platform = settings_.platform;
    boot.manager_pid = ::getpid();
    boot.params_fd = settings_.params_fd;
    boot.panic_fd = panic_fd_.get();
    boot.panic_size = panic_size;
    boot.loops = settings_.loops;
    boot.log_ring_size = params_.vsl_space();
    boot.wide_log = params_.vsl_layout() == 2;
    boot.drop_privileges = identity.drop;
    boot.uid = identity.uid;
    boot.gid = identity.gid;
    boot.user = identity.user;
    boot.sockets = sockets_.for_worker();
    boot.storages = stores_.for_worker();
    {
        const sys::raised privileges(jail_);
        const worker_channels channels{theirs.get(), output_out.get(), params_.feature(tables::feature::no_coredump)};
        pid_ = manager::spawn_worker(std::move(boot), channels, settings_.arguments);
    }
    if (pid_ < 0) {
        log_.print(level::error, "Could not start child: {}", sys::error_text(errno));
        return false;
    }
    log_.print(level::debug, "Child ({}) Started", pid_);
    tables::bump(counters_.child_start);
    link_.attach(std::move(ours));
    output_ = std::move(output_in);
    sys::set_nonblocking(output_.get(), true);
    return true;
}

bool supervisor::wait_until_ready() {
    if (!link_.listen(params_.startup_timeout()).ok()) {
        std::fprintf(stderr, "Child failed on launch\n");
        link_.close();
        drain_output();
        state_ = state::stopping;
        reap();
        return false;
    }
    std::fprintf(stderr, "Child launched OK\n");
    watch_worker();
    return true;
}

void supervisor::watch_worker() {
    loop_.on_readable(output_.get(), [this] { read_output(); });
    arm_ping();
}

bool supervisor::hand_over(cli::reply* out) {
    const std::string why = feed_(link_);
    if (!why.empty()) {
        log_.print(level::error, "Child ({}) Pushing vcls failed:\n{}", pid_, why);
        if (out != nullptr) {
            out->set(cli::status::cannot);
        }
        stop();
        return false;
    }
    const worker_link::answer started = link_.ask("start");
    if (!started.ok()) {
        log_.print(level::error, "Child ({}) Acceptor start failed:\n{}", pid_, started.text);
        if (out != nullptr) {
            out->set(started.code);
        }
        stop();
        return false;
    }
    state_ = state::running;
    return true;
}

void supervisor::arm_ping() {
    const double interval = params_.ping_interval();
    if (interval > 0) {
        ping_timer_ = loop_.after(interval, [this] {
            arm_ping();
            ping();
        });
    }
}

void supervisor::ping() {
    if (state_ != state::running || pid_ < 0) {
        return;
    }
    const worker_link::answer got = link_.ask("ping");
    if (!got.ok() || !got.text.starts_with("PONG ")) {
        log_.print(level::error, "Unexpected reply from ping: {} {}", static_cast<unsigned>(got.code), got.text);
        if (got.code != cli::status::communication) {
            link_failed();
        }
    }
}

void supervisor::stop() {
    if (state_ != state::running && state_ != state::starting) {
        return;
    }
    state_ = state::stopping;
    log_.say(level::debug, "Stopping Child");
    reap();
}

} // namespace clearcoat::manager
