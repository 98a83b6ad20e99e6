#include "worker/main.hpp"

#include "cli/worker_boot.hpp"
#include "sys/fd.hpp"
#include "sys/jail.hpp"
#include "sys/memory.hpp"
#include "sys/process.hpp"
#include "sys/signals.hpp"
#include "tables/param_block.hpp"
#include "worker/control.hpp"
#include "worker/panic_report.hpp"
#include "worker/telemetry.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <unistd.h>

#ifdef CLEARCOAT_SANITIZED
extern "C" [[gnu::weak]] void __lsan_do_leak_check(); // comes with AddressSanitizer
#endif

namespace clearcoat::worker {

namespace {

constexpr int cannot_live = 1;

void set_up_signals() {
    sys::ignore_signal(SIGPIPE);
    sys::ignore_signal(SIGHUP);
    // DIFFERS: the reference dies of a terminal's ^C beside its manager; here only the manager hears it, and stops us.
    sys::ignore_signal(SIGINT);
    sys::default_signal(SIGTERM);
}

std::optional<cli::worker_boot> read_boot(int fd) {
    sys::unique_fd file(fd);
    const auto text = sys::read_rest(fd);
    ::unsetenv(cli::worker_boot_variable);
    return text ? cli::parse_worker_boot(*text) : std::nullopt;
}

void keep_from_children(const cli::worker_boot& boot) {
    for (const int fd : {boot.cli_fd, boot.params_fd, boot.panic_fd}) {
        sys::set_close_on_exec(fd, true);
    }
}

void sleep_for(double seconds) {
    if (seconds > 0) {
        ::usleep(static_cast<useconds_t>(seconds * 1e6));
    }
}

// The way out is _exit(), which asks nobody; so sanitizer builds look here for what was lost.
void check_for_leaks() noexcept {
#ifdef CLEARCOAT_SANITIZED
    if (__lsan_do_leak_check != nullptr) {
        __lsan_do_leak_check();
    }
#endif
}

int live(const cli::worker_boot& boot) {
    if (!sys::become({boot.drop_privileges, boot.uid, boot.gid, boot.user})) {
        std::printf("Cannot become user %s: %s\n", boot.user.c_str(), sys::error_text(errno).c_str());
        return cannot_live;
    }
    // After privileges changed, which clears that wish.
    if (!sys::die_with_parent(boot.manager_pid)) {
        return cannot_live;
    }
    const sys::mapping memory = sys::mapping::shared(boot.params_fd, sizeof(tables::param_block), false);
    if (!memory) {
        std::printf("Cannot map the parameters: %s\n", sys::error_text(errno).c_str());
        return cannot_live;
    }
    const auto& params = *reinterpret_cast<const tables::param_block*>(memory.data());
    install_panic_report(boot, params.sigsegv_handler());
    telemetry outside(boot.log_ring_size, boot.wide_log ? shm::record_width::wide : shm::record_width::narrow, params);
    control commands(boot, params, outside);
    commands.run();
    sleep_for(commands.shutdown_delay());
    commands.stop();
    std::printf("Child dies\n");
    check_for_leaks();
    // Without destroying the segments: readers may still be behind, and the manager removes the folder.
    ::_exit(0);
}

} // namespace

int main(int boot_fd) {
    std::setbuf(stdout, nullptr);
    std::setbuf(stderr, nullptr);
    sys::set_thread_name("cache-main");
    set_up_signals();
    const auto boot = read_boot(boot_fd);
    if (!boot) {
        std::fprintf(stderr, "%s is set by varnishd for its worker only\n", cli::worker_boot_variable);
        return cannot_live;
    }
    keep_from_children(*boot);
    std::printf("Child starts\n");
    try {
        return live(*boot);
    } catch (const std::exception& e) {
        std::printf("Child cannot start: %s\n", e.what());
        return cannot_live;
    }
}

} // namespace clearcoat::worker
