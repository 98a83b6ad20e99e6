#include "net/call_ring.hpp"
#include "net/socket_stream.hpp"
#include "support/loop_runner.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace clearcoat;
using net::io_status;
using test::run_on;

namespace {

struct socket_pair {
    socket_pair() {
        int both[2] = {-1, -1};
        REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, both) == 0);
        ours = both[0];
        theirs = both[1];
    }
    ~socket_pair() {
        ::close(ours);
        end_theirs();
    }
    socket_pair(const socket_pair&) = delete;
    socket_pair& operator=(const socket_pair&) = delete;

    void end_theirs() {
        if (theirs >= 0) {
            ::close(theirs);
        }
        theirs = -1;
    }

    int ours = -1;
    int theirs = -1;
};

struct receiving final : net::batched_call {
    void make() noexcept override {
        ++made_alone;
        const ssize_t got = ::recv(sockets.ours, room.data(), room.size(), 0);
        returned = got < 0 ? -errno : static_cast<int>(got);
    }
    net::call_description describe() noexcept override {
        net::call_description d;
        d.what = describes ? net::call_description::kind::receive : net::call_description::kind::none;
        d.fd = sockets.ours;
        d.into = room;
        return d;
    }
    void made(int result) noexcept override {
        ++made_together;
        returned = result;
    }
    std::string_view text() const { return {room.data(), returned > 0 ? static_cast<std::size_t>(returned) : 0}; }

    socket_pair sockets;
    std::array<char, 16> room{};
    bool describes = true;
    int returned = 12345;
    int made_alone = 0;
    int made_together = 0;
};

struct sending final : net::batched_call {
    void make() noexcept override { FAIL("nothing was to be made alone"); }
    net::call_description describe() noexcept override {
        net::call_description d;
        d.what = net::call_description::kind::send;
        d.fd = sockets.ours;
        d.pieces = pieces;
        return d;
    }
    void made(int result) noexcept override { returned = result; }

    socket_pair sockets;
    std::array<::iovec, 2> pieces{net::piece("head"), net::piece("body")};
    int returned = 12345;
};

std::string read_from(int fd) {
    std::array<char, 64> room{};
    const ssize_t got = ::recv(fd, room.data(), room.size(), 0);
    return {room.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
}

void write_to(int fd, std::string_view text) {
    REQUIRE(::send(fd, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size()));
}

/// As a container's seccomp profile does.
bool forbid_io_uring() {
    std::array<::sock_filter, 4> program{{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(::seccomp_data, nr)),
                                          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
                                          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                                          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)}};
    ::sock_fprog filter{program.size(), program.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/// nullptr, with a warning, where the system forbids io_uring: there is no ring to test then.
std::unique_ptr<net::call_ring> ring() {
    std::unique_ptr<net::call_ring> made = net::call_ring::open();
    if (made == nullptr) {
        WARN("io_uring is not allowed on this system");
    }
    return made;
}

struct client {
    explicit client(net::loop& l) : stream(l) { REQUIRE(stream.adopt(::dup(sockets.ours)) == 0); }

    socket_pair sockets;
    net::socket_stream stream;
    std::array<::iovec, 1> pieces{};
    net::queued_write write;
};

net::task<> write_with_others(client& c, std::string_view text) {
    c.pieces[0] = net::piece(text);
    c.write.pieces = c.pieces;
    const net::wait_status how = co_await c.stream.write_together(c.write);
    CHECK(how == net::wait_status::ready);
}

net::task<> write_to_all(net::loop& l, std::vector<std::unique_ptr<client>>& clients, std::string_view text) {
    for (const std::unique_ptr<client>& c : clients) {
        l.spawn(write_with_others(*c, text));
    }
    co_await test::pause(l, 0.02);
}

void check_writes(bool use_io_uring) {
    net::loop_options options;
    options.use_io_uring = use_io_uring;
    net::loop l(0, options);
    std::vector<std::unique_ptr<client>> clients;
    for (int i = 0; i < 3; ++i) {
        clients.push_back(std::make_unique<client>(l));
    }
    const std::string text(8 * 1024 * 1024, 'x'); // more than a socket holds
    clients[0]->sockets.end_theirs();
    clients[1]->stream.shut();
    run_on(l, write_to_all(l, clients, text));
    CHECK(clients[0]->write.result.status == io_status::reset);
    CHECK(clients[0]->write.result.error == EPIPE);
    CHECK(clients[1]->write.result.status == io_status::cancelled);
    CHECK(clients[2]->write.result.status == io_status::would_block);
    CHECK(clients[2]->write.result.bytes > 0);
    CHECK(clients[2]->write.result.bytes + clients[2]->write.pieces[0].iov_len == text.size());
}

} // namespace

TEST_CASE("A ring makes more calls than it has room for, each once") {
    const std::unique_ptr<net::call_ring> r = ring();
    if (r == nullptr) {
        return;
    }
    std::vector<std::unique_ptr<receiving>> calls;
    net::call_list list;
    for (int i = 0; i < 150; ++i) {
        calls.push_back(std::make_unique<receiving>());
        write_to(calls.back()->sockets.theirs, std::to_string(i));
        list.push_back(*calls.back());
    }
    r->make_all(list);
    CHECK(list.empty());
    for (std::size_t i = 0; i < calls.size(); ++i) {
        CHECK(calls[i]->text() == std::to_string(i));
        CHECK(calls[i]->made_together == 1);
        CHECK(calls[i]->made_alone == 0);
    }
}

TEST_CASE("A ring tells what each call came to, and waits for none") {
    const std::unique_ptr<net::call_ring> r = ring();
    if (r == nullptr) {
        return;
    }
    receiving nothing;
    receiving ended;
    receiving bad;
    receiving alone;
    net::call_list list;
    for (receiving* call : {&nothing, &ended, &alone, &bad}) {
        list.push_back(*call);
    }
    ended.sockets.end_theirs();
    ::close(std::exchange(bad.sockets.ours, -1));
    alone.describes = false;
    write_to(alone.sockets.theirs, "alone");
    r->make_all(list);
    CHECK(nothing.returned == -EAGAIN);
    CHECK(ended.returned == 0);
    CHECK(bad.returned == -EBADF);
    CHECK(alone.text() == "alone");
    CHECK(alone.made_alone == 1);
    CHECK(alone.made_together == 0);
}

TEST_CASE("A single call does without the ring") {
    const std::unique_ptr<net::call_ring> r = ring();
    if (r == nullptr) {
        return;
    }
    receiving one;
    write_to(one.sockets.theirs, "one");
    net::call_list list;
    list.push_back(one);
    r->make_all(list);
    CHECK(one.text() == "one");
    CHECK(one.made_alone == 1);
}

TEST_CASE("A ring sends gathered pieces, and a peer that is gone raises no signal") {
    const std::unique_ptr<net::call_ring> r = ring();
    if (r == nullptr) {
        return;
    }
    sending good;
    sending gone;
    gone.sockets.end_theirs();
    net::call_list list;
    list.push_back(good);
    list.push_back(gone);
    r->make_all(list);
    CHECK(good.returned == 8);
    CHECK(read_from(good.sockets.theirs) == "headbody");
    CHECK(gone.returned == -EPIPE);
}

TEST_CASE("Where a system forbids io_uring there is no ring") {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        ::_exit(forbid_io_uring() ? (net::call_ring::open() == nullptr ? 0 : 1) : 2);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("Writes made together end alike with a ring and without") {
    check_writes(false);
    check_writes(true);
}
