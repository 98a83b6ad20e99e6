// From the first worker to the last: initial commands, signals, uptime, the end.
#include "manager/manager.hpp"

#include "base/version.hpp"
#include "manager/option_error.hpp"
#include "sys/signals.hpp"
#include "tables/counters.hpp"

#include <csignal>
#include <unistd.h>

namespace clearcoat::manager {

manager::~manager() {
    if (!segments_) {
        return;
    }
    sessions_.reset();
    const sys::raised privileges(jail_);
    if (made_secret_) {
        ::unlink("_.secret");
    }
    argument_segments_.clear();
    counters_.reset();
    segments_.reset();
    if (!block_.debug(tables::debug::vtc_mode)) {
        shm::segment_directory::remove(shm::manager_folder);
        shm::segment_directory::remove(shm::worker_folder);
    }
    for (sys::pid_file& file : pid_files_) {
        file.remove();
    }
}

int manager::run() {
    log_.print(level::debug, "Version: {}", base::version_text);
    log_.print(level::debug, "Platform: {}{}", sys::platform(), summary_);
    sys::ignore_signal(SIGPIPE);
    sys::ignore_signal(SIGHUP);
    if (options_.debug()) {
        sessions_->use_stdin([this] { loop_.stop(); });
    }
    run_initial_commands();
    const int failed = start_worker();
    daemon_.tell_parent(failed);
    if (failed != 0) {
        return failed;
    }
    if (options_.foreground()) {
        sys::point_at_null(STDIN_FILENO);
    }
    watch_signals();
    started_ = now();
    count_uptime();
    loop_.run();
    wind_up();
    return forced_status_ >= 0 ? forced_status_ : supervisor_->exit_bits();
}

void manager::run_initial_commands() {
    if (initial_commands_) {
        sessions_->run_file(std::move(initial_commands_));
    }
}

int manager::start_worker() {
    const std::string_view missing = store_->missing();
    if (options_.debug()) {
        return 0;
    }
    if (!missing.empty()) {
        if (!options_.has('f')) {
            log_.say(level::error, missing);
        }
        return 0;
    }
    return supervisor_->start() || supervisor_->has_worker() ? 0 : 2;
}

void manager::watch_signals() {
    signals_ = sys::take_signals({SIGTERM, SIGINT});
    loop_.on_readable(signals_.get(), [this] { signalled(); });
}

void manager::signalled() {
    const sys::received_signal signal = sys::next_signal(signals_.get());
    if (signal.number == 0) {
        return;
    }
    log_.print(level::error, "Manager got {} from PID {}", sys::signal_name(signal.number), signal.sender);
    supervisor_->stop();
    loop_.stop();
}

void manager::count_uptime() {
    (*counters_)->uptime = static_cast<std::uint64_t>(now() - started_);
    loop_.after(1, [this] { count_uptime(); });
}

void manager::wind_up() {
    log_.say(level::info, "manager stopping child");
    supervisor_->stop();
    log_.say(level::info, "manager dies");
    sessions_->close_all();
}

} // namespace clearcoat::manager
