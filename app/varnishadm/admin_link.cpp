#include "admin_link.hpp"

#include "cli/auth.hpp"
#include "sys/socket_address.hpp"

#include <cerrno>
#include <cstdio>

#include <poll.h>
#include <sys/socket.h>

namespace clearcoat::varnishadm {
namespace {

bool wait_for(int fd, short events, double timeout) noexcept {
    pollfd p{fd, events, 0};
    int ready = 0;
    do {
        ready = poll(&p, 1, static_cast<int>(timeout * 1e3));
    } while (ready < 0 && errno == EINTR);
    return ready > 0;
}

} // namespace

bool admin_link::connect(const std::string& endpoint, std::string& error) {
    sys::resolved found = sys::resolve(endpoint, "", false);
    error = found.error;
    for (const sys::socket_address& address : found.addresses) {
        sys::unique_fd fd = sys::start_connect(address);
        if (!fd) {
            error = sys::error_text(errno);
            continue;
        }
        int failure = wait_for(fd.get(), POLLOUT, timeout_) ? sys::finish_connect(fd.get()) : ETIMEDOUT;
        if (failure == 0) {
            sys::set_nonblocking(fd.get(), false);
            fd_ = std::move(fd);
            return true;
        }
        error = sys::error_text(failure);
    }
    return false;
}

bool admin_link::authenticate(const std::string& challenge, const std::optional<std::string>& secret,
                              answer& greeting) {
    if (!secret) {
        std::fprintf(stderr, "Authentication required\n");
        return false;
    }
    std::optional<std::string> content = sys::read_file(*secret);
    if (!content) {
        std::fprintf(stderr, "Cannot open \"%s\": %s\n", secret->c_str(), sys::error_text(errno).c_str());
        return false;
    }
    send("auth " + cli::auth_response(challenge.substr(0, cli::challenge_size), *content) + "\n");
    greeting = read();
    return true;
}

bool admin_link::open(const std::string& endpoint, const std::optional<std::string>& secret) {
    std::string error;
    if (!connect(endpoint, error)) {
        std::fprintf(stderr, "Connection failed (%s): %s\n", endpoint.c_str(), error.c_str());
        return false;
    }
    answer greeting = read();
    if (greeting.status == cli::status::auth && !authenticate(greeting.text, secret, greeting)) {
        return false;
    }
    if (greeting.status != cli::status::ok && greeting.status != cli::status::truncated) {
        std::fprintf(stderr, "Rejected %u\n%s\n", static_cast<unsigned>(greeting.status), greeting.text.c_str());
        return false;
    }
    send("ping\n");
    answer pong = read();
    if (pong.status != cli::status::ok || pong.text.find("PONG") == std::string::npos) {
        std::fprintf(stderr, "No pong received from server\n");
        return false;
    }
    return true;
}

bool admin_link::send(std::string_view text) noexcept {
    while (!text.empty()) {
        ssize_t sent = ::send(fd_.get(), text.data(), text.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

void admin_link::finish_sending() noexcept {
    shutdown(fd_.get(), SHUT_WR);
}

std::size_t admin_link::receive(char* to, std::size_t size) noexcept {
    std::size_t have = 0;
    while (have < size && wait_for(fd_.get(), POLLIN, timeout_)) {
        ssize_t got = recv(fd_.get(), to + have, size - have, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        have += static_cast<std::size_t>(got);
    }
    return have;
}

answer admin_link::read() {
    char head[cli::status_line_size];
    std::size_t got = receive(head, sizeof head);
    if (got == 0) {
        return {};
    }
    std::optional<cli::status_line> line = cli::parse_status_line({head, got});
    if (!line) {
        return {cli::status::communication, "CLI communication error (hdr)"};
    }
    answer result{line->code, std::string(line->size + 1, '\0')};
    if (receive(result.text.data(), result.text.size()) != result.text.size()) {
        return {cli::status::communication, "CLI communication error (body)"};
    }
    result.text.pop_back(); // the newline behind it
    return result;
}

} // namespace clearcoat::varnishadm
