#include "support/system_calls.hpp"

#include <ctime>

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

thread_local clearcoat::test::system_call_count counted;

} // namespace

namespace clearcoat::test {

system_call_count system_calls() noexcept {
    return counted;
}

void reset_system_calls() noexcept {
    counted = {};
}

} // namespace clearcoat::test

#ifndef CLEARCOAT_SANITIZED
extern "C" {

ssize_t recv(int fd, void* into, size_t size, int flags) {
    ++counted.receives;
    return ::syscall(SYS_recvfrom, fd, into, size, flags, nullptr, nullptr);
}
ssize_t recvmsg(int fd, msghdr* message, int flags) {
    ++counted.receives;
    return ::syscall(SYS_recvmsg, fd, message, flags);
}
ssize_t read(int fd, void* into, size_t size) {
    ++counted.receives;
    return ::syscall(SYS_read, fd, into, size);
}
ssize_t readv(int fd, const iovec* parts, int count) {
    ++counted.receives;
    return ::syscall(SYS_readv, fd, parts, count);
}
ssize_t send(int fd, const void* from, size_t size, int flags) {
    ++counted.sends;
    return ::syscall(SYS_sendto, fd, from, size, flags, nullptr, 0);
}
ssize_t sendmsg(int fd, const msghdr* message, int flags) {
    ++counted.sends;
    return ::syscall(SYS_sendmsg, fd, message, flags);
}
ssize_t write(int fd, const void* from, size_t size) {
    ++counted.sends;
    return ::syscall(SYS_write, fd, from, size);
}
ssize_t writev(int fd, const iovec* parts, int count) {
    ++counted.sends;
    return ::syscall(SYS_writev, fd, parts, count);
}
int epoll_wait(int set, epoll_event* events, int most, int timeout) {
    ++counted.waits;
    return static_cast<int>(::syscall(SYS_epoll_wait, set, events, most, timeout));
}
int epoll_ctl(int set, int what, int fd, epoll_event* event) noexcept {
    ++counted.others;
    return static_cast<int>(::syscall(SYS_epoll_ctl, set, what, fd, event));
}
int timerfd_settime(int fd, int flags, const itimerspec* at, itimerspec* before) noexcept {
    ++counted.others;
    return static_cast<int>(::syscall(SYS_timerfd_settime, fd, flags, at, before));
}

} // extern "C"
#endif
