#include "net/socket_stream.hpp"

#include "base/panic.hpp"
#include "sys/socket_address.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace clearcoat::net {

namespace {

constexpr std::size_t most_pieces = 256; // of one system call; far below IOV_MAX

io_result failure(int error) noexcept {
    io_result result;
    result.status = status_of(error);
    result.error = error;
    return result;
}

/// Moves `pieces` past `sent` bytes.
void consume(std::span<::iovec>& pieces, std::size_t sent) noexcept {
    while (!pieces.empty() && sent >= pieces.front().iov_len) {
        sent -= pieces.front().iov_len;
        pieces = pieces.subspan(1);
    }
    if (sent > 0) {
        ::iovec& rest = pieces.front();
        rest.iov_base = static_cast<char*>(rest.iov_base) + sent;
        rest.iov_len -= sent;
    }
}

} // namespace

int socket_stream::adopt(int fd) noexcept {
    CLEARCOAT_ASSERT(fd_ < 0);
    const int error = home().watch(fd, *this, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
    if (error != 0) {
        ::close(fd);
        return error;
    }
    fd_ = fd;
    hung_up_ = false;
    shut_ = false;
    peer_known_ = false;
    readability().clear(); // the kernel tells at once when something is there already
    writability().set();
    return 0;
}

int socket_stream::adopt(int fd, const base::ip_address& peer) noexcept {
    const int error = adopt(fd);
    peer_ = peer;
    peer_known_ = true;
    return error;
}

int socket_stream::release() noexcept {
    if (fd_ >= 0) {
        home().unwatch(fd_);
    }
    return std::exchange(fd_, -1);
}

void socket_stream::on_events(std::uint32_t epoll_events) noexcept {
    constexpr std::uint32_t ended = EPOLLRDHUP | EPOLLHUP | EPOLLERR;
    if ((epoll_events & ended) != 0) {
        hung_up_ = true;
    }
    if ((epoll_events & (EPOLLIN | ended)) != 0) {
        readability().set();
        if (reader_ != nullptr && !reader_->linked()) {
            home().receive_soon(*reader_);
        }
    }
    if ((epoll_events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0) {
        writability().set();
    }
}

io_result socket_stream::try_read(std::span<char> into) noexcept {
    if (shut_) {
        return failure(ECANCELED);
    }
    if (!readable()) {
        return failure(EAGAIN);
    }
    ssize_t got = 0;
    do {
        got = ::recv(fd_, into.data(), into.size(), 0);
    } while (got < 0 && errno == EINTR);
    return read_made(into.size(), got < 0 ? -errno : static_cast<int>(got));
}

call_description socket_stream::describe_read(std::span<char> into) noexcept {
    call_description d;
    if (!shut_ && readable()) {
        d.what = call_description::kind::receive;
        d.fd = fd_;
        d.into = into;
    }
    return d;
}

io_result socket_stream::read_made(std::size_t room, int returned) noexcept {
    if (returned < 0) {
        if (returned == -EAGAIN) {
            readability().clear();
        }
        return failure(-returned);
    }
    io_result result;
    result.bytes = static_cast<std::size_t>(returned);
    if (returned == 0) {
        result.status = room == 0 ? io_status::ok : io_status::eof;
    } else if (result.bytes < room && !hung_up_) {
        readability().clear(); // drained: whatever comes now is a new event
    }
    return result;
}

io_result socket_stream::try_write(std::span<::iovec>& pieces) noexcept {
    if (shut_) {
        return failure(ECANCELED);
    }
    io_result total;
    while (!pieces.empty()) {
        if (!writability().is_set()) {
            total.status = io_status::would_block;
            return total;
        }
        ::msghdr message{};
        message.msg_iov = pieces.data();
        message.msg_iovlen = std::min(pieces.size(), most_pieces);
        const ssize_t sent = ::sendmsg(fd_, &message, MSG_NOSIGNAL);
        const io_result step = write_made(pieces, sent < 0 ? -errno : static_cast<int>(sent));
        total.bytes += step.bytes;
        if (!step.ok()) {
            total.status = step.status;
            total.error = step.error;
            return total;
        }
    }
    return total;
}

call_description socket_stream::describe_write(std::span<::iovec> pieces) noexcept {
    call_description d;
    if (!shut_ && writability().is_set() && !pieces.empty()) {
        d.what = call_description::kind::send;
        d.fd = fd_;
        d.pieces = pieces.first(std::min(pieces.size(), most_pieces));
    }
    return d;
}

/// `ok` also when the call was interrupted: it is worth another.
io_result socket_stream::write_made(std::span<::iovec>& pieces, int returned) noexcept {
    if (returned == -EINTR) {
        return {};
    }
    if (returned < 0) {
        if (returned == -EAGAIN) {
            writability().clear();
        }
        return failure(-returned);
    }
    std::size_t wanted = 0;
    for (const ::iovec& part : pieces.first(std::min(pieces.size(), most_pieces))) {
        wanted += part.iov_len;
    }
    io_result result;
    result.bytes = static_cast<std::size_t>(returned);
    consume(pieces, result.bytes);
    if (result.bytes < wanted) {
        writability().clear(); // full: the kernel tells when there is room again
    }
    return result;
}

void socket_stream::shutdown_write() noexcept {
    if (fd_ >= 0) {
        ::shutdown(fd_, SHUT_WR);
    }
}

void socket_stream::shut() noexcept {
    shut_ = true;
    readability().cancel();
    writability().cancel();
}

void socket_stream::close(bool abort) noexcept {
    if (fd_ < 0) {
        return;
    }
    CLEARCOAT_ASSERT(!writability().waiting());
    take_back();
    if (abort) {
        set_linger(fd_, 0);
    }
    ::close(fd_); // leaves the epoll set with it
    fd_ = -1;
}

void socket_stream::take_back() noexcept {
    readability().forget_waiter();
}

base::ip_address socket_stream::peer_address() const noexcept {
    if (!peer_known_ && fd_ >= 0) {
        peer_ = socket_peer_address(fd_);
        peer_known_ = true;
    }
    return peer_;
}

base::ip_address socket_stream::local_address() const noexcept {
    return socket_local_address(fd_);
}

task<io_result> socket_stream::connect(base::ip_address to, base::seconds deadline) {
    const int error = start_connect(sys::socket_address(to));
    io_result result = co_await finish_connect(error, deadline);
    if (result.ok()) {
        peer_ = to;
        peer_known_ = true;
    }
    co_return result;
}

task<io_result> socket_stream::connect(std::string_view path, base::seconds deadline) {
    const sys::socket_address to = sys::socket_address::unix_path(path);
    const int error = to.valid() ? start_connect(to) : ENAMETOOLONG;
    io_result result = co_await finish_connect(error, deadline);
    co_return result;
}

int socket_stream::start_connect(const sys::socket_address& to) noexcept {
    sys::unique_fd fd = sys::start_connect(to);
    if (!fd) {
        return errno;
    }
    const int error = adopt(fd.release());
    if (error == 0) {
        writability().clear(); // becomes writable when it is connected or has failed
    }
    return error;
}

task<io_result> socket_stream::finish_connect(int started, base::seconds deadline) {
    if (started != 0) {
        co_return failure(started);
    }
    const wait_status waited = co_await wait_writable(deadline);
    io_result result;
    if (waited == wait_status::ready) {
        const int error = sys::finish_connect(fd_);
        result = failure(error);
    } else {
        result.status = status_of(waited);
        result.error = waited == wait_status::timed_out ? ETIMEDOUT : ECANCELED;
    }
    if (!result.ok()) {
        close();
    }
    co_return result;
}

} // namespace clearcoat::net
