#include "manager/listeners.hpp"

#include "manager/option_error.hpp"

#include <cerrno>
#include <sys/stat.h>
#include <unistd.h>

namespace clearcoat::manager {

void listeners::add(std::string_view argument) {
    const listen_argument parsed = parse_listen_argument(argument);
    const std::string name = parsed.name.empty() ? "a" + std::to_string(unnamed_++) : parsed.name;
    const std::size_t before = sockets_.size();
    if (is_unix_endpoint(parsed.endpoint)) {
        const auto address = sys::socket_address::unix_path(parsed.endpoint);
        if (address.valid()) {
            add_address(parsed, name, address);
        }
    } else {
        for (const std::string& endpoint : each_port(parsed.endpoint)) {
            for (const sys::socket_address& address : sys::resolve(endpoint, "80").addresses) {
                add_address(parsed, name, address);
            }
        }
    }
    if (sockets_.size() == before) {
        option_fails("Got no socket(s) for {}", parsed.endpoint);
    }
}

void listeners::add_address(const listen_argument& argument, const std::string& name,
                            const sys::socket_address& address) {
    for (const socket& other : sockets_) {
        if (other.address == address) {
            option_fails("-a arguments {} and {} have same address", other.endpoint, argument.endpoint);
        }
    }
    socket made{name, argument.endpoint, address, argument.proxy, argument.permissions, {}};
    const int error = open(made);
    if (error == EAFNOSUPPORT) {
        return;
    }
    if (error != 0) {
        option_fails("Could not get socket {}: {}", argument.endpoint, sys::error_text(error));
    }
    if (made.address.is_ip() && address.port() == 0) {
        made.endpoint = made.address.endpoint();
    }
    sockets_.push_back(std::move(made));
}

bool listeners::has_unix_socket() const noexcept {
    for (const socket& s : sockets_) {
        if (s.address.is_unix()) {
            return true;
        }
    }
    return false;
}

int listeners::open(socket& s) const {
    const sys::raised privileges(jail_);
    s.fds.clear();
    return s.address.is_unix() ? open_unix(s) : open_tcp(s);
}

int listeners::open_tcp(socket& s) const {
    // SO_REUSEPORT lets a second program of the same user in without a word; the first, unshared bind finds it.
    sys::unique_fd probe = sys::bind_stream(s.address, false);
    if (!probe) {
        return errno;
    }
    if (s.address.port() == 0) {
        s.address = sys::socket_address::local_of(probe.get());
    }
    probe.reset();
    for (unsigned i = 0; i < loops_; ++i) {
        sys::unique_fd fd = sys::bind_stream(s.address, true);
        if (!fd) {
            return errno;
        }
        s.fds.push_back(std::move(fd));
    }
    return 0;
}

int listeners::open_unix(socket& s) const {
    sys::unique_fd fd = sys::bind_stream(s.address, false);
    if (!fd) {
        return errno;
    }
    const std::string path = s.address.endpoint();
    const socket_permissions& p = s.permissions;
    if (p.mode && ::chmod(path.c_str(), *p.mode) != 0) {
        return errno;
    }
    if ((p.uid || p.gid) &&
        ::chown(path.c_str(), p.uid.value_or(static_cast<uid_t>(-1)), p.gid.value_or(static_cast<gid_t>(-1))) != 0) {
        return errno;
    }
    s.fds.push_back(std::move(fd));
    return 0;
}

std::vector<cli::listen_socket> listeners::for_worker() const {
    std::vector<cli::listen_socket> out;
    for (const socket& s : sockets_) {
        cli::listen_socket made{s.name,  s.endpoint, s.address.host_text(), s.address.port_text(), s.address.is_unix(),
                                s.proxy, {}};
        for (unsigned i = 0; i < loops_; ++i) {
            made.fds.push_back(s.fds[s.address.is_unix() ? 0 : i].get());
        }
        out.push_back(std::move(made));
    }
    return out;
}

std::vector<std::string> listeners::reopen() {
    std::vector<std::string> failures;
    for (socket& s : sockets_) {
        if (const int error = open(s); error != 0) {
            failures.push_back(
                fmt::format("Could not reopen listen socket {}: {}", s.endpoint, sys::error_text(error)));
        }
    }
    return failures;
}

} // namespace clearcoat::manager
