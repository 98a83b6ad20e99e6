#include "net/socket_stream.hpp"
#include "support/allocation_counter.hpp"
#include "support/loop_runner.hpp"
#include "sys/socket_address.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <memory>
#include <string>
#include <thread>

#include <sys/socket.h>
#include <unistd.h>

using namespace clearcoat;
using net::io_status;
using test::run_on;

namespace {

/// Two connected streams on one loop; TCP over loopback, or a unix pair.
struct pair {
    net::socket_stream a, b;
    explicit pair(net::loop& l, bool tcp) : a(l), b(l) {
        int fds[2];
        if (tcp) {
            connect_tcp(fds);
        } else {
            REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) == 0);
        }
        REQUIRE(a.adopt(fds[0]) == 0);
        REQUIRE(b.adopt(fds[1]) == 0);
    }
    static void connect_tcp(int (&fds)[2]) {
        auto listener = sys::bind_stream(sys::socket_address(*base::parse_ip("127.0.0.1")), false);
        REQUIRE(listener);
        REQUIRE(::listen(listener.get(), 5) == 0);
        auto client = sys::start_connect(sys::socket_address::local_of(listener.get()));
        REQUIRE(client);
        fds[1] = -1;
        while (fds[1] < 0) {
            fds[1] = ::accept4(listener.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        }
        fds[0] = client.release();
    }
};

net::task<net::io_result> send_text(net::stream& s, std::string_view text) {
    std::array<::iovec, 1> pieces;
    pieces[0] = net::piece(text);
    net::io_result r = co_await s.write_all(pieces, net::no_deadline);
    co_return r;
}

net::task<> exchange(net::loop& l, bool tcp) {
    pair p(l, tcp);
    std::array<char, 64> room;
    for (int i = 0; i < 3; ++i) {
        net::io_result r = co_await send_text(p.a, "hello");
        CHECK(r.ok());
        r = co_await p.b.read_some(room, l.deadline_in(5));
        CHECK(std::string_view(room.data(), r.bytes) == "hello");
        CHECK(!p.b.readable()); // a short read drained it: the next wait asks nothing of the kernel
        r = p.b.try_read(room);
        CHECK(r.status == io_status::would_block);
    }
}

net::task<> end_behind_data(net::loop& l, bool tcp) {
    pair p(l, tcp);
    std::array<char, 64> room;
    net::io_result r = co_await send_text(p.a, "last");
    p.a.shutdown_write();
    co_await test::pause(l, 0.02); // data and end become one event
    r = co_await p.b.read_some(room, l.deadline_in(5));
    CHECK(r.bytes == 4);
    r = co_await p.b.read_some(room, l.deadline_in(5));
    CHECK(r.status == io_status::eof);
    CHECK(p.b.hung_up());
    r = co_await send_text(p.b, "still");
    CHECK(r.ok());
    r = co_await p.a.read_some(room, l.deadline_in(5));
    CHECK(r.bytes == 5);
}

net::task<> reset_by_peer(net::loop& l) {
    pair p(l, true);
    std::array<char, 64> room;
    p.a.close(true);
    net::io_result r = co_await p.b.read_some(room, l.deadline_in(5));
    CHECK(r.status == io_status::reset);
    CHECK(r.error == ECONNRESET);
    r = co_await send_text(p.b, "x");
    CHECK(r.status == io_status::reset);
}

net::task<> drink(net::loop& l, net::stream& s, std::size_t& got) {
    std::array<char, 200> room;
    for (;;) {
        const net::io_result r = co_await s.read_some(room, l.deadline_in(5));
        if (!r.ok()) {
            co_return;
        }
        got += r.bytes;
    }
}

net::task<> big_write(net::loop& l, bool tcp) {
    pair p(l, tcp);
    const std::string block(1 << 20, 'x');
    std::array<::iovec, 8> pieces;
    pieces.fill(net::piece(block));
    std::size_t got = 0;
    l.spawn(drink(l, p.b, got));
    const net::io_result r = co_await p.a.write_all(pieces, l.deadline_in(20));
    CHECK(r.ok());
    CHECK(r.bytes == 8 * block.size());
    p.a.shutdown_write();
    while (got < r.bytes) {
        co_await test::pause(l, 0.01);
    }
    co_await test::pause(l, 0.02);
    CHECK(got == r.bytes);
}

net::task<> write_timeout(net::loop& l) {
    pair p(l, false);
    const std::string block(1 << 22, 'x');
    std::array<::iovec, 1> pieces;
    pieces[0] = net::piece(block);
    const net::io_result r = co_await p.a.write_all(pieces, l.deadline_in(0.05));
    CHECK(r.status == io_status::timed_out);
    CHECK(r.bytes > 0);
}

net::task<> connect_all(net::loop& l, int listener) {
    const base::ip_address to = net::socket_local_address(listener);
    net::socket_stream s(l);
    net::io_result r = co_await s.connect(to, l.deadline_in(5));
    CHECK(r.ok());
    CHECK(s.peer_address() == to);
    CHECK(s.local_address().port != 0);
    ::close(listener);
    net::socket_stream refused(l);
    r = co_await refused.connect(to, l.deadline_in(5));
    CHECK(r.status == io_status::failed);
    CHECK(r.error == ECONNREFUSED);
    CHECK(!refused.is_open());
    net::socket_stream nowhere(l);
    r = co_await nowhere.connect(std::string_view("/nonexistent/socket"), l.deadline_in(5));
    CHECK(r.error == ENOENT);
}

net::task<> one_exchange(net::loop& l, pair& p) {
    std::array<char, 64> room;
    net::io_result r = co_await send_text(p.a, "ping");
    CHECK(r.ok());
    r = co_await p.b.read_some(room, l.deadline_in(5));
    CHECK(r.bytes == 4);
}

net::task<> no_allocation(net::loop& l) {
    pair p(l, true);
    for (int i = 0; i < 10; ++i) {
        co_await one_exchange(l, p);
    }
    test::reset_allocations();
    for (int i = 0; i < 200; ++i) {
        co_await one_exchange(l, p);
    }
#ifndef CLEARCOAT_SANITIZED
    CHECK(test::allocations().calls == 0);
#endif
}

/// Passes through every coroutine of a stream; its own frame is small.
[[maybe_unused]] net::task<> frames(net::loop& l, pair& p, net::stream& drained, int listener) {
    co_await one_exchange(l, p);
    auto s = std::make_unique<net::socket_stream>(l);
    net::io_result r = co_await s->connect(net::socket_local_address(listener), l.deadline_in(5));
    CHECK(r.ok());
    s->close();
    r = co_await s->connect(std::string_view("/nonexistent/socket"), l.deadline_in(5));
    CHECK(!r.ok());
    char one = 0;
    r = co_await drained.read_some(std::span<char>(&one, 1), l.deadline_in(0.02));
    CHECK(r.status == io_status::timed_out);
}

} // namespace

TEST_CASE("Bytes go from end to end, and a short read drains a socket") {
    net::loop l(0);
    run_on(l, exchange(l, true));
    net::loop m(0);
    run_on(m, exchange(m, false));
}

TEST_CASE("An end of file behind data is found without a new event") {
    net::loop l(0);
    run_on(l, end_behind_data(l, true));
    net::loop m(0);
    run_on(m, end_behind_data(m, false));
}

TEST_CASE("A reset is told from an end") {
    net::loop l(0);
    run_on(l, reset_by_peer(l));
}

TEST_CASE("A write larger than the socket's buffers arrives whole") {
    net::loop l(0);
    run_on(l, big_write(l, true));
    net::loop m(0);
    run_on(m, big_write(m, false));
}

TEST_CASE("A write to a peer that does not read times out") {
    net::loop l(0);
    run_on(l, write_timeout(l));
}

TEST_CASE("Connecting: success, refusal, no such socket") {
    auto listener = sys::bind_stream(sys::socket_address(*base::parse_ip("127.0.0.1")), false);
    REQUIRE(::listen(listener.get(), 5) == 0);
    net::loop l(0);
    run_on(l, connect_all(l, listener.release()));
}

TEST_CASE("Reads, writes and their waits allocate nothing") {
    net::loop l(0);
    run_on(l, no_allocation(l));
}

#ifndef CLEARCOAT_SANITIZED
TEST_CASE("Coroutine frames of streams stay below what Asio recycles") {
    std::size_t largest = 0;
    std::thread fresh([&largest] {
        net::loop l(0);
        pair p(l, true), quiet(l, true);
        auto listener = sys::bind_stream(sys::socket_address(*base::parse_ip("127.0.0.1")), false);
        ::listen(listener.get(), 5);
        test::reset_allocations();
        l.spawn(test::stop_after(l, frames(l, p, quiet.a, listener.get())));
        l.run();
        largest = test::allocations().largest;
    });
    fresh.join();
    INFO(largest);
    CHECK(largest < 1020);
}
#endif
