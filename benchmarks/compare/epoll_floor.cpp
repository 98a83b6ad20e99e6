// The floor that comparisons stand on: one thread, one epoll set, nothing but reading a request's head, finding its end
// and sending a fixed answer. It checks nothing, logs nothing and caches nothing, so no HTTP server can need less CPU a
// request by the same system calls. Usage: epoll_floor [port [body bytes]]
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

namespace {

struct connection {
    explicit connection(int of) : fd(of) {}
    ~connection() { ::close(fd); }
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;

    int fd;
    std::size_t fill = 0;
    std::size_t to_send = 0; // bytes left of the answers owed
    char input[4096];
};

struct answer {
    std::string head;
    std::string body;
    std::size_t size() const { return head.size() + body.size(); }
};

int listen_on(unsigned port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int on = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    socklen_t size = sizeof address;
    if (::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(fd, 4096) != 0) {
        std::perror("epoll_floor: listen");
        std::exit(1);
    }
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    std::printf("epoll_floor on 127.0.0.1:%u\n", ntohs(address.sin_port));
    std::fflush(stdout);
    return fd;
}

void accept_all(int epoll, int listener) {
    for (;;) {
        const int fd = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) {
            return;
        }
        const int on = 1;
        ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        auto* made = new connection(fd);
        epoll_event event{};
        event.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;
        event.data.ptr = made;
        ::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    }
}

/// Sends what is owed; false when the connection is gone.
bool flush(connection& c, answer& reply) {
    while (c.to_send > 0) {
        const std::size_t done = (reply.size() - c.to_send % reply.size()) % reply.size();
        iovec parts[2] = {};
        const std::size_t from_head = std::min(done, reply.head.size());
        parts[0] = {reply.head.data() + from_head, reply.head.size() - from_head};
        parts[1] = {reply.body.data() + (done - from_head), reply.body.size() - (done - from_head)};
        msghdr message{};
        message.msg_iov = parts;
        message.msg_iovlen = 2;
        const ssize_t sent = ::sendmsg(c.fd, &message, MSG_NOSIGNAL);
        if (sent < 0) {
            return errno == EAGAIN;
        }
        c.to_send -= static_cast<std::size_t>(sent);
    }
    return true;
}

/// Takes whole heads out of the input and owes an answer for each.
void take_heads(connection& c, const answer& reply) {
    std::string_view rest(c.input, c.fill);
    for (;;) {
        const std::size_t end = rest.find("\r\n\r\n");
        if (end == rest.npos) {
            break;
        }
        rest.remove_prefix(end + 4);
        c.to_send += reply.size();
    }
    std::memmove(c.input, rest.data(), rest.size());
    c.fill = rest.size();
}

/// One readiness event; false when the connection is to be closed.
bool serve(connection& c, answer& reply, unsigned events) {
    if ((events & (EPOLLERR | EPOLLHUP)) != 0 || !flush(c, reply)) {
        return false;
    }
    if ((events & (EPOLLIN | EPOLLRDHUP)) == 0) {
        return true;
    }
    for (;;) {
        const std::size_t room = sizeof c.input - c.fill;
        const ssize_t got = ::recv(c.fd, c.input + c.fill, room, 0);
        if (got <= 0) {
            return got < 0 && errno == EAGAIN;
        }
        c.fill += static_cast<std::size_t>(got);
        take_heads(c, reply);
        if (!flush(c, reply) || c.fill == sizeof c.input) {
            return false;
        }
        if (static_cast<std::size_t>(got) < room && (events & EPOLLRDHUP) == 0) {
            return true; // a short read drained the socket
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    const unsigned port = argc > 1 ? static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)) : 0;
    const std::size_t size = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1024;
    answer reply;
    reply.body.assign(size, 'x');
    reply.head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " + std::to_string(size) + "\r\n\r\n";
    const int listener = listen_on(port);
    const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = nullptr;
    ::epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    std::vector<epoll_event> events(256);
    for (;;) {
        const int count = ::epoll_wait(epoll, events.data(), static_cast<int>(events.size()), -1);
        for (int i = 0; i < count; ++i) {
            auto* c = static_cast<connection*>(events[static_cast<std::size_t>(i)].data.ptr);
            if (c == nullptr) {
                accept_all(epoll, listener);
            } else if (!serve(*c, reply, events[static_cast<std::size_t>(i)].events)) {
                delete c;
            }
        }
    }
}
