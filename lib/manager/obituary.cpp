// The second half of the supervisor: a worker's output, its end, and what follows from it.
#include "manager/listeners.hpp"
#include "manager/supervisor.hpp"

#include "base/date.hpp"
#include "shm/segment_directory.hpp"
#include "tables/counters.hpp"
#include "tables/param_block.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <unistd.h>

namespace clearcoat::manager {

namespace {

// Bits of the manager's exit status, as the reference has them.
constexpr int worker_failed = 0x20;
constexpr int worker_killed = 0x40;
constexpr int worker_dumped_core = 0x80;

constexpr useconds_t wait_step = 10 * 1000;
constexpr int bind_attempts = 3;

// A panic may hold anything; only its line ends are kept as they are.
std::string readable(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n' || (byte >= 0x20 && byte <= 0x7e)) {
            out += c;
        } else if (c == '\t') {
            out += "\\t";
        } else {
            out += fmt::format("\\{:03o}", byte);
        }
    }
    if (!out.ends_with('\n')) {
        out += '\n';
    }
    return out;
}

} // namespace

void supervisor::read_output() {
    char buffer[4096];
    for (;;) {
        const ssize_t got = ::read(output_.get(), buffer, sizeof buffer);
        if (got > 0) {
            line_.append(buffer, static_cast<std::size_t>(got));
            drain_output();
        } else if (got < 0 && errno == EINTR) {
            continue;
        } else if (got < 0 && errno == EAGAIN) {
            return;
        } else {
            reap();
            return;
        }
    }
}

void supervisor::drain_output() {
    std::size_t end = 0;
    while ((end = line_.find('\n')) != std::string::npos) {
        log_.print(level::info, "Child ({}) said {}", pid_, std::string_view(line_).substr(0, end));
        line_.erase(0, end + 1);
    }
}

void supervisor::kill_worker() const noexcept {
    const sys::raised privileges(jail_);
    ::kill(pid_, SIGQUIT);
}

void supervisor::link_failed() {
    if ((state_ != state::running && state_ != state::starting) || pid_ < 0) {
        return;
    }
    kill_worker();
    log_.print(level::error, "Child ({}) not responding to CLI, killed it.", pid_);
}

std::optional<sys::process_end> supervisor::wait_for_end(std::string& obituary) {
    sys::process_end end;
    const base::seconds deadline = base::system_clock().monotonic() + params_.cli_timeout();
    do {
        const sys::wait_result got = sys::wait_for(pid_, false, end);
        if (got != sys::wait_result::running) {
            return got == sys::wait_result::ended ? std::optional(end) : std::nullopt;
        }
        ::usleep(wait_step);
    } while (base::system_clock().monotonic() < deadline);
    obituary = fmt::format("Child ({}) not dying, killing", pid_);
    kill_worker();
    const sys::wait_result got = sys::wait_for(pid_, true, end);
    return got == sys::wait_result::ended ? std::optional(end) : std::nullopt;
}

void supervisor::write_obituary(std::string text, const sys::process_end& end) {
    text += fmt::format("Child ({}) {}", pid_, end.clean() ? "ended" : "died");
    if (end.exited && end.status != 0) {
        text += fmt::format(" status={}", end.status);
        exit_bits_ |= worker_failed;
        tables::bump(end.status == 1 ? counters_.child_exit : counters_.child_stop);
    }
    if (!end.exited) {
        text += fmt::format(" signal={}", end.status);
        exit_bits_ |= worker_killed;
        tables::bump(counters_.child_died);
    }
    if (end.core_dumped) {
        text += " (core dumped)";
        if (!params_.feature(tables::feature::no_coredump)) {
            exit_bits_ |= worker_dumped_core;
        }
        tables::bump(counters_.child_dump);
    }
    log_.say(end.clean() ? level::info : level::error, text);
}

void supervisor::record_panic() {
    const char* text = reinterpret_cast<const char*>(panic_block_.data());
    const std::size_t size = ::strnlen(text, panic_block_.size());
    if (size == 0) {
        return;
    }
    char date[base::date_size];
    panic_ =
        fmt::format("Panic at: {}\n{}", base::format_date(base::system_clock().real(), date), readable({text, size}));
    log_.print(level::error, "Child ({}) {}", pid_, *panic_);
    tables::bump(counters_.child_panic);
}

void supervisor::reap() {
    link_.close();
    loop_.cancel(ping_timer_);
    loop_.forget(output_.get());
    std::string obituary;
    const auto end = wait_for_end(obituary);
    if (end) {
        write_obituary(std::move(obituary), *end);
    }
    record_panic();
    if (!params_.debug(tables::debug::vtc_mode)) {
        const sys::raised privileges(jail_);
        shm::segment_directory::remove(shm::worker_folder);
    }
    if (state_ == state::running) {
        state_ = state::died;
    }
    char buffer[4096];
    ssize_t got = 0;
    while ((got = ::read(output_.get(), buffer, sizeof buffer)) > 0) {
        line_.append(buffer, static_cast<std::size_t>(got));
    }
    drain_output();
    line_.clear();
    output_.reset();
    pid_ = -1;
    log_.say(level::debug, "Child cleanup complete");
    after_death();
}

void supervisor::after_death() {
    // DIFFERS: the reference binds its sockets anew after every death; here they go on listening when a new worker
    // follows at once, so that no client is refused meanwhile.
    const bool rebirth = state_ == state::died && params_.auto_restart();
    if (!rebirth) {
        state_ = state::stopped;
        reopen_sockets();
        return;
    }
    start();
    if (state_ == state::stopped) {
        reopen_sockets();
    }
}

void supervisor::reopen_sockets() {
    for (int attempt = 0; attempt < bind_attempts; ++attempt) {
        const auto failures = sockets_.reopen();
        if (failures.empty()) {
            return;
        }
        for (const std::string& failure : failures) {
            log_.say(level::error, failure);
        }
        ::sleep(1);
    }
    log_.say(level::error, "Could not reopen listening sockets. Exiting.");
    lost_sockets_();
}

} // namespace clearcoat::manager
