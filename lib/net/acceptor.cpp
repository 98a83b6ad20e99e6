#include "net/acceptor.hpp"

#include "sys/socket_address.hpp"

#include <cerrno>

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

namespace clearcoat::net {

namespace {

accept_failure kind_of(int error) noexcept {
    switch (error) {
    case ECONNABORTED:
        return accept_failure::aborted;
    case EINTR:
        return accept_failure::interrupted;
    case EMFILE:
    case ENFILE:
        return accept_failure::no_files;
    case ENOBUFS:
    case ENOMEM:
        return accept_failure::no_memory;
    default:
        return accept_failure::other;
    }
}

} // namespace

int acceptor::start() noexcept {
    // Whoever made the socket may have left it blocking, and a batch ends with an accept that must not wait.
    const int flags = ::fcntl(fd_, F_GETFL);
    if (flags < 0 || ::fcntl(fd_, F_SETFL, flags | O_NONBLOCK) != 0) {
        return errno;
    }
    const int error = loop_->watch(fd_, *this, EPOLLIN);
    if (error == 0) {
        running_ = true;
        await_ready();
    }
    return error;
}

void acceptor::stop() noexcept {
    if (!running_) {
        return;
    }
    running_ = false;
    cancel();
    ready_.forget_waiter();
    loop_->unwatch(fd_);
}

void acceptor::set_keepalive(const keepalive_settings& how) noexcept {
    if (how != keepalive_) {
        keepalive_ = how;
        net::set_keepalive(fd_, how);
    }
}

void acceptor::on_events(std::uint32_t) noexcept {
    ready_.set();
}

// Level-triggered: what one batch leaves is reported again in the next turn, behind the other connections' work.
void acceptor::await_ready() noexcept {
    ready_.clear();
    ready_.then(no_deadline, [this](wait_status) {
        await_ready();
        accept_some();
    });
}

void acceptor::accept_some() noexcept {
    for (int i = 0; i < batch && running_; ++i) {
        if (!accept_one()) {
            return;
        }
    }
}

bool acceptor::accept_one() noexcept {
    sockaddr_storage from{};
    socklen_t size = sizeof from;
    const int fd = ::accept4(fd_, reinterpret_cast<sockaddr*>(&from), &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
        accepted connection;
        connection.fd = fd;
        connection.peer = sys::socket_address(reinterpret_cast<const sockaddr*>(&from), size).ip();
        sink_->on_accept(connection);
        return true;
    }
    if (errno == EAGAIN) {
        return false;
    }
    failed(errno);
    return errno == ECONNABORTED || errno == EINTR;
}

void acceptor::failed(int error) noexcept {
    const accept_failure why = kind_of(error);
    sink_->on_accept_failure(why, error);
    if (why == accept_failure::no_files || why == accept_failure::no_memory) {
        // Level-triggered, the queue would be reported in every turn: look away for a while.
        loop_->rewatch(fd_, *this, 0);
        loop_->arm(*this, loop_->deadline_in(shortage_pause_));
    }
    errno = error;
}

void acceptor::expired() noexcept {
    loop_->rewatch(fd_, *this, EPOLLIN);
}

} // namespace clearcoat::net
