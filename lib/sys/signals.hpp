// Signals as data: blocked and read from a descriptor, or ignored.
#pragma once

#include "sys/fd.hpp"

#include <initializer_list>

#include <sys/types.h>

namespace clearcoat::sys {

/// Blocks the signals for the process (call it before threads start) and gives a non-blocking descriptor to read them
/// from; empty with errno set on failure.
unique_fd take_signals(std::initializer_list<int> signals) noexcept;
struct received_signal {
    int number = 0;   // 0: there is none
    pid_t sender = 0; // 0: the kernel
};
/// The next signal from such a descriptor.
received_signal next_signal(int fd) noexcept;

void ignore_signal(int signal) noexcept;
void default_signal(int signal) noexcept;
/// Unblocks every signal, as a new process image wants it.
void unblock_all_signals() noexcept;

/// "SIGTERM" and so on for those a manager meets; "an unexpected signal" for others.
const char* signal_name(int signal) noexcept;

} // namespace clearcoat::sys
