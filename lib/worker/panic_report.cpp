#include "worker/panic_report.hpp"

#include "base/clock.hpp"
#include "base/panic.hpp"
#include "sys/memory.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <execinfo.h>
#include <span>
#include <sys/prctl.h>
#include <unistd.h>

namespace clearcoat::worker {

namespace {

constexpr int deepest_trace = 40;

struct report_state {
    sys::mapping block;
    char version[128];
    char platform[256];
    std::atomic<panic_detail> detail{nullptr};
    std::atomic<bool> written{false};
};

report_state& state() noexcept {
    static report_state s;
    return s;
}

// Fills the shared block from `at` on; always leaves a NUL.
class block_text {
  public:
    explicit block_text(std::span<std::byte> block) noexcept
        : begin_(reinterpret_cast<char*>(block.data())), size_(block.size()) {}

    [[gnu::format(printf, 2, 3)]] void add(const char* format, ...) noexcept {
        va_list arguments;
        va_start(arguments, format);
        const int length = std::vsnprintf(begin_ + used_, size_ - used_, format, arguments);
        va_end(arguments);
        used_ = std::min(size_ - 1, used_ + static_cast<std::size_t>(std::max(length, 0)));
    }
    void add_detail(panic_detail detail) noexcept {
        used_ = std::min(size_ - 1, used_ + detail(begin_ + used_, size_ - 1 - used_));
        begin_[used_] = '\0';
    }

  private:
    char* begin_;
    std::size_t size_;
    std::size_t used_ = 0;
};

void add_backtrace(block_text& out) noexcept {
    void* frames[deepest_trace];
    const int count = ::backtrace(frames, deepest_trace);
    out.add("Backtrace:\n");
    // backtrace_symbols() allocates; the heap may be what broke. addr2line resolves these.
    for (int i = 0; i < count; ++i) {
        out.add("  %p\n", frames[i]);
    }
}

void write_report(std::string_view text) noexcept {
    report_state& s = state();
    if (!s.block || s.written.exchange(true)) {
        return;
    }
    char thread[16] = "?";
    ::prctl(PR_GET_NAME, thread);
    block_text out(s.block.bytes());
    out.add("%.*s", static_cast<int>(text.size()), text.data());
    out.add("version = %s, vrt api = 15.0\nident = %s\n", s.version, s.platform);
    out.add("now = %f (mono), %f (real)\n", base::system_clock().monotonic(), base::system_clock().real());
    add_backtrace(out);
    out.add("thread = (%s)\n", thread);
    if (const panic_detail detail = s.detail.load()) {
        out.add_detail(detail);
    }
}

void on_panic(std::string_view text) noexcept {
    write_report(text);
}

void on_signal(int signal, siginfo_t* info, void*) {
    char text[256];
    const int length =
        std::snprintf(text, sizeof text, "Wrong turn at signal:\nSignal %d (%s) received at %p si_code %d\n", signal,
                      ::strsignal(signal), info->si_addr, info->si_code);
    write_report({text, static_cast<std::size_t>(std::max(length, 0))});
    // SA_RESETHAND is set: the second time kills, with a core file where allowed.
    ::raise(signal);
}

} // namespace

void install_panic_report(const cli::worker_boot& boot, bool signals) {
    report_state& s = state();
    s.block = sys::mapping::shared(boot.panic_fd, boot.panic_size);
    std::snprintf(s.version, sizeof s.version, "%s", boot.version.c_str());
    std::snprintf(s.platform, sizeof s.platform, "%s", boot.platform.c_str());
    base::set_panic_handler(on_panic);
    // Loads what backtrace() needs while the heap is in order.
    void* frame = nullptr;
    ::backtrace(&frame, 1);
    if (!signals) {
        return;
    }
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | static_cast<int>(SA_RESETHAND) | SA_ONSTACK;
    for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE}) {
        ::sigaction(signal, &action, nullptr);
    }
}

void set_panic_detail(panic_detail detail) noexcept {
    state().detail = detail;
}

} // namespace clearcoat::worker
