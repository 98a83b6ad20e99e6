#include "sys/fd.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace clearcoat::sys {

void unique_fd::reset(int fd) noexcept {
    const int old = std::exchange(fd_, fd);
    if (old >= 0) {
        const int keep = errno;
        ::close(old);
        errno = keep;
    }
}

std::string error_text(int error) {
    return std::strerror(error);
}

int set_nonblocking(int fd, bool on) noexcept {
    const int flags = ::fcntl(fd, F_GETFL);
    if (flags < 0) {
        return errno;
    }
    return ::fcntl(fd, F_SETFL, on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK) < 0 ? errno : 0;
}

int set_close_on_exec(int fd, bool on) noexcept {
    return ::fcntl(fd, F_SETFD, on ? FD_CLOEXEC : 0) < 0 ? errno : 0;
}

int write_all(int fd, std::string_view text) noexcept {
    while (!text.empty()) {
        const ssize_t done = ::write(fd, text.data(), text.size());
        if (done >= 0) {
            text.remove_prefix(static_cast<std::size_t>(done));
            continue;
        }
        if (errno == EAGAIN) {
            pollfd wait{fd, POLLOUT, 0};
            if (::poll(&wait, 1, -1) < 0 && errno != EINTR) {
                return errno;
            }
            continue;
        }
        if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

unique_fd open_file(const std::string& path, int flags, unsigned mode) noexcept {
    return unique_fd(::open(path.c_str(), flags | O_CLOEXEC, static_cast<mode_t>(mode)));
}

std::optional<std::string> read_file(const std::string& path) {
    const unique_fd fd = open_file(path, O_RDONLY);
    if (!fd) {
        return std::nullopt;
    }
    return read_rest(fd.get());
}

std::optional<std::string> read_rest(int fd) {
    std::string text;
    char buffer[16384];
    for (;;) {
        const ssize_t got = ::read(fd, buffer, sizeof buffer);
        if (got == 0) {
            return text;
        }
        if (got > 0) {
            text.append(buffer, static_cast<std::size_t>(got));
        } else if (errno != EINTR) {
            return std::nullopt;
        }
    }
}

void point_at_null(int fd) noexcept {
    const int null = ::open("/dev/null", O_RDWR);
    if (null >= 0 && null != fd) {
        ::dup2(null, fd);
        ::close(null);
    }
}

std::pair<unique_fd, unique_fd> make_socketpair() noexcept {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
        return {};
    }
    return {unique_fd(ends[0]), unique_fd(ends[1])};
}

std::pair<unique_fd, unique_fd> make_pipe() noexcept {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) < 0) {
        return {};
    }
    return {unique_fd(ends[0]), unique_fd(ends[1])};
}

} // namespace clearcoat::sys
