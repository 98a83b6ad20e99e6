// Counts the system calls that serving makes on the calling thread: those on sockets, epoll sets and timers. A program
// that uses it gets the counting functions in the place of the C library's. In sanitized builds nothing is replaced and
// the count stays zero.
#pragma once

#include <cstddef>

namespace clearcoat::test {

struct system_call_count {
    std::size_t receives = 0; // recv, recvmsg, read, readv
    std::size_t sends = 0;    // send, sendmsg, write, writev
    std::size_t waits = 0;    // epoll_wait
    std::size_t others = 0;   // epoll_ctl, timerfd_settime

    std::size_t all() const noexcept { return receives + sends + waits + others; }
};

/// The calling thread's counts since its start or the last reset.
system_call_count system_calls() noexcept;
void reset_system_calls() noexcept;

} // namespace clearcoat::test
