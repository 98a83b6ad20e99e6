#include "manager/worker_link.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <poll.h>
#include <sys/socket.h>

namespace clearcoat::manager {

namespace {

// Seconds: what poll(2) can be told of a deadline that may be infinitely far.
constexpr base::seconds longest_wait = 3600;

// Waits until `fd` is ready; false at the deadline.
bool wait_for(int fd, short events, base::seconds deadline) {
    for (;;) {
        const base::seconds left = deadline - base::system_clock().monotonic();
        if (left <= 0) {
            return false;
        }
        pollfd wait{fd, events, 0};
        const int got = ::poll(&wait, 1, static_cast<int>(std::ceil(std::min(left, longest_wait) * 1e3)));
        if (got > 0) {
            return true;
        }
        if (got < 0 && errno != EINTR) {
            return false;
        }
    }
}

bool send_all(int fd, std::string_view text, base::seconds deadline) {
    while (!text.empty()) {
        const ssize_t sent = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent >= 0) {
            text.remove_prefix(static_cast<std::size_t>(sent));
        } else if (errno != EAGAIN && errno != EINTR) {
            return false;
        } else if (!wait_for(fd, POLLOUT, deadline)) {
            return false;
        }
    }
    return true;
}

} // namespace

worker_link::answer worker_link::failed(std::string_view text) {
    on_failure_();
    return {cli::status::communication, std::string(text)};
}

worker_link::answer worker_link::ask(std::string_view line) {
    if (!fd_) {
        return {};
    }
    const base::seconds deadline = base::system_clock().monotonic() + timeout_();
    if (!send_all(fd_.get(), std::string(line) + "\n", deadline)) {
        return failed("CLI communication error");
    }
    return listen();
}

bool worker_link::receive(char* to, std::size_t size, base::seconds deadline) {
    while (size > 0) {
        const ssize_t got = ::recv(fd_.get(), to, size, MSG_DONTWAIT);
        if (got > 0) {
            to += got;
            size -= static_cast<std::size_t>(got);
        } else if (got == 0 || (errno != EAGAIN && errno != EINTR) || !wait_for(fd_.get(), POLLIN, deadline)) {
            return false;
        }
    }
    return true;
}

worker_link::answer worker_link::listen(base::seconds patience) {
    const base::seconds deadline = base::system_clock().monotonic() + std::max(patience, timeout_());
    char head[cli::status_line_size];
    if (!receive(head, sizeof head, deadline)) {
        return failed("CLI communication error (hdr)");
    }
    const auto line = cli::parse_status_line({head, sizeof head});
    if (!line) {
        return failed("CLI communication error (hdr)");
    }
    answer out{line->code, std::string(line->size + 1, '\0')};
    if (!receive(out.text.data(), out.text.size(), deadline) || out.text.back() != '\n') {
        return failed("CLI communication error (body)");
    }
    out.text.pop_back();
    return out;
}

} // namespace clearcoat::manager
