#include "sys/signals.hpp"

#include <csignal>
#include <cstdio>
#include <sys/signalfd.h>
#include <unistd.h>

namespace clearcoat::sys {

unique_fd take_signals(std::initializer_list<int> signals) noexcept {
    sigset_t set;
    ::sigemptyset(&set);
    for (const int signal : signals) {
        ::sigaddset(&set, signal);
    }
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    return unique_fd(::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
}

received_signal next_signal(int fd) noexcept {
    signalfd_siginfo info{};
    if (::read(fd, &info, sizeof info) != sizeof info) {
        return {};
    }
    return {static_cast<int>(info.ssi_signo), static_cast<pid_t>(info.ssi_pid)};
}

void ignore_signal(int signal) noexcept {
    ::signal(signal, SIG_IGN);
}

void default_signal(int signal) noexcept {
    ::signal(signal, SIG_DFL);
}

void unblock_all_signals() noexcept {
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

const char* signal_name(int signal) noexcept {
    switch (signal) {
    case SIGTERM:
        return "SIGTERM";
    case SIGINT:
        return "SIGINT";
    case SIGHUP:
        return "SIGHUP";
    case SIGQUIT:
        return "SIGQUIT";
    default:
        return "an unexpected signal";
    }
}

} // namespace clearcoat::sys
