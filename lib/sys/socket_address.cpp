#include "sys/socket_address.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/un.h>
#include <unistd.h>

namespace clearcoat::sys {

socket_address::socket_address(const sockaddr* address, socklen_t size) noexcept {
    if (address != nullptr && size > 0 && size <= sizeof storage_) {
        std::memcpy(&storage_, address, size);
        size_ = size;
    }
}

socket_address::socket_address(const base::ip_address& address) noexcept {
    if (address.kind == base::ip_address::family::v4) {
        auto* in = reinterpret_cast<sockaddr_in*>(&storage_);
        in->sin_family = AF_INET;
        in->sin_port = htons(address.port);
        std::memcpy(&in->sin_addr, address.bytes.data(), 4);
        size_ = sizeof *in;
    } else {
        auto* in = reinterpret_cast<sockaddr_in6*>(&storage_);
        in->sin6_family = AF_INET6;
        in->sin6_port = htons(address.port);
        std::memcpy(&in->sin6_addr, address.bytes.data(), 16);
        size_ = sizeof *in;
    }
}

socket_address socket_address::unix_path(std::string_view path) noexcept {
    socket_address made;
    auto* un = reinterpret_cast<sockaddr_un*>(&made.storage_);
    if (path.empty() || path.size() + 1 > sizeof un->sun_path) {
        return made;
    }
    un->sun_family = AF_UNIX;
    std::memcpy(un->sun_path, path.data(), path.size());
    std::size_t length = path.size() + 1;
    if (path[0] == '@') {
        un->sun_path[0] = '\0';
        length = path.size();
    }
    made.size_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length);
    return made;
}

socket_address socket_address::local_of(int fd) noexcept {
    socket_address made;
    socklen_t size = sizeof made.storage_;
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&made.storage_), &size) == 0) {
        made.size_ = size;
    }
    return made;
}

socket_address socket_address::peer_of(int fd) noexcept {
    socket_address made;
    socklen_t size = sizeof made.storage_;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&made.storage_), &size) == 0) {
        made.size_ = size;
    }
    return made;
}

base::ip_address socket_address::ip() const noexcept {
    base::ip_address out = base::bogus_ip;
    if (family() == AF_INET) {
        const auto* in = reinterpret_cast<const sockaddr_in*>(&storage_);
        std::memcpy(out.bytes.data(), &in->sin_addr, 4);
        out.port = ntohs(in->sin_port);
    } else if (family() == AF_INET6) {
        const auto* in = reinterpret_cast<const sockaddr_in6*>(&storage_);
        out.kind = base::ip_address::family::v6;
        std::memcpy(out.bytes.data(), &in->sin6_addr, 16);
        out.port = ntohs(in->sin6_port);
    }
    return out;
}

std::uint16_t socket_address::port() const noexcept {
    return ip().port;
}

void socket_address::set_port(std::uint16_t port) noexcept {
    if (family() == AF_INET) {
        reinterpret_cast<sockaddr_in*>(&storage_)->sin_port = htons(port);
    } else if (family() == AF_INET6) {
        reinterpret_cast<sockaddr_in6*>(&storage_)->sin6_port = htons(port);
    }
}

std::string socket_address::host_text() const {
    return base::to_string(ip());
}

std::string socket_address::port_text() const {
    return std::to_string(port());
}

std::string socket_address::endpoint() const {
    if (is_unix()) {
        const auto* un = reinterpret_cast<const sockaddr_un*>(&storage_);
        const std::size_t length = size_ - offsetof(sockaddr_un, sun_path);
        if (length > 0 && un->sun_path[0] == '\0') {
            return "@" + std::string(un->sun_path + 1, length - 1);
        }
        return std::string(un->sun_path, ::strnlen(un->sun_path, length));
    }
    return family() == AF_INET6 ? "[" + host_text() + "]:" + port_text() : host_text() + ":" + port_text();
}

bool operator==(const socket_address& a, const socket_address& b) noexcept {
    if (a.family() != b.family()) {
        return false;
    }
    if (a.is_ip()) {
        return a.ip() == b.ip();
    }
    return a.size_ == b.size_ && std::memcmp(&a.storage_, &b.storage_, a.size_) == 0;
}

unique_fd start_connect(const socket_address& address) noexcept {
    unique_fd fd(::socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (fd && ::connect(fd.get(), address.data(), address.size()) != 0 && errno != EINPROGRESS) {
        fd.reset();
    }
    return fd;
}

int finish_connect(int fd) noexcept {
    int error = 0;
    socklen_t size = sizeof error;
    return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

namespace {

unique_fd bind_failed(unique_fd& fd) noexcept {
    const int keep = errno;
    fd.reset();
    errno = keep;
    return {};
}

void set_flag(int fd, int level, int option) noexcept {
    const int on = 1;
    ::setsockopt(fd, level, option, &on, sizeof on);
}

} // namespace

unique_fd bind_stream(const socket_address& address, bool share) noexcept {
    unique_fd fd(::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!fd) {
        return fd;
    }
    if (address.is_unix()) {
        const std::string path = address.endpoint();
        if (path[0] != '@' && ::unlink(path.c_str()) != 0 && errno != ENOENT) {
            return bind_failed(fd);
        }
    } else {
        set_flag(fd.get(), SOL_SOCKET, SO_REUSEADDR);
        if (share) {
            set_flag(fd.get(), SOL_SOCKET, SO_REUSEPORT);
        }
        if (address.family() == AF_INET6) {
            // "0.0.0.0" and "::" are bound side by side.
            set_flag(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY);
        }
    }
    if (::bind(fd.get(), address.data(), address.size()) != 0) {
        return bind_failed(fd);
    }
    return fd;
}

} // namespace clearcoat::sys
