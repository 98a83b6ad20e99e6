// Waiting in vtc scripts: for a barrier of varnishtest, or for some time. A lane of its own, so that scripts which wait
// for each other cannot use up the threads others need.
#include "vmod/support/aside.hpp"
#include "vmod/vtc/functions.hpp"

#include "tables/log_tags.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

#include <fmt/core.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace clearcoat::vmod::vtc {

namespace {

helper_lane& waiting_lane() {
    static auto* lane = new helper_lane(256, 10000);
    return *lane;
}

const char barrier_key = 0;
const char sleep_key = 0;

int connected(int fd, const sockaddr* address, socklen_t size) {
    if (fd >= 0 && ::connect(fd, address, size) != 0) {
        const int error = errno;
        ::close(fd);
        errno = error;
        return -1;
    }
    return fd;
}

int connect_unix(const std::string& path) {
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    if (path.size() >= sizeof where.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    std::memcpy(where.sun_path, path.c_str(), path.size() + 1);
    return connected(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), reinterpret_cast<const sockaddr*>(&where),
                     sizeof where);
}

/// "host:port" or "host port"; -1 and errno.
int connect_inet(const std::string& text) {
    const std::size_t mark = text.find_last_of(": ");
    std::string host = text.substr(0, mark);
    if (host.size() > 1 && host.front() == '[' && host.back() == ']') {
        host = host.substr(1, host.size() - 2);
    }
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    if (mark == std::string::npos || ::getaddrinfo(host.c_str(), text.c_str() + mark + 1, &hints, &list) != 0) {
        errno = EADDRNOTAVAIL;
        return -1;
    }
    int fd = -1;
    for (const addrinfo* a = list; a != nullptr && fd < 0; a = a->ai_next) {
        fd = connected(::socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0), a->ai_addr, a->ai_addrlen);
    }
    ::freeaddrinfo(list);
    return fd;
}

/// Waits until the barrier closes the connection. Empty, or the reason of the failure.
std::string sync_with(const std::string& address, double timeout) {
    const int fd = address.front() == '/' ? connect_unix(address) : connect_inet(address);
    if (fd < 0) {
        return fmt::format("Barrier connection failed: {}", std::strerror(errno));
    }
    pollfd ready{fd, POLLIN, 0};
    char data[32];
    ssize_t got = -1;
    if (::poll(&ready, 1, timeout > 0 ? static_cast<int>(timeout * 1000) : -1) == 1) {
        got = ::read(fd, data, sizeof data);
    } else {
        errno = EAGAIN;
    }
    const int error = errno;
    ::close(fd);
    if (got < 0) {
        return fmt::format("Barrier read failed: {} (errno={})", std::strerror(error), error);
    }
    return got > 0 ? fmt::format("Barrier unexpected data ({}B)", got) : std::string();
}

} // namespace

// barrier_sync(STRING addr, DURATION timeout=0)
vcl::value barrier_sync(vcl::call& c, arguments args) {
    const std::string address(args[0].string());
    if (address.empty()) {
        c.fail("vtc.barrier_sync(): no address");
        return no_value();
    }
    auto work = [address, timeout = args[1].real] { return sync_with(address, timeout); };
    const auto failure = do_aside<std::string>(c, waiting_lane(), &barrier_key, address, work,
                                               "Barrier connection failed: too many tasks wait");
    if (!failure) {
        c.task().log().print(log_tag::Debug, "barrier_sync(\"{}\")", address);
        c.task().log().flush(); // scripts look for the record while the task waits
    } else if (!failure->empty()) {
        c.fail(*failure);
    }
    return no_value();
}

// sleep(DURATION)
vcl::value sleep(vcl::call& c, arguments args) {
    const double seconds = args[0].real;
    auto work = [seconds] {
        if (seconds > 0) {
            std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        }
        return true;
    };
    do_aside<bool>(c, waiting_lane(), &sleep_key, std::to_string(c.site()), work, true);
    return no_value();
}

} // namespace clearcoat::vmod::vtc
