#include "support/faulty_stream.hpp"
#include "support/loop_runner.hpp"

#include <catch2/catch.hpp>

#include <array>

using namespace clearcoat;
using net::io_status;
using test::run_on;

namespace {

net::task<> wake_soon(net::loop& l, test::faulty_stream& s) {
    co_await test::pause(l, 0.02);
    s.wake();
    s.wake_writer();
}

net::task<> read_steps(net::loop& l) {
    test::faulty_stream s(l);
    s.then_data("abc");
    s.then_pause();
    s.then_data("de");
    s.then(io_status::reset);
    std::array<char, 2> room;
    net::io_result r = co_await s.read_some(room, net::no_deadline);
    CHECK(r.bytes == 2);
    r = co_await s.read_some(room, net::no_deadline);
    CHECK(r.bytes == 1);
    CHECK(room[0] == 'c');
    l.spawn(wake_soon(l, s));
    r = co_await s.read_some(room, l.deadline_in(5));
    CHECK(r.ok());
    CHECK(room[0] == 'd');
    r = co_await s.read_some(room, net::no_deadline);
    CHECK(r.status == io_status::reset);
}

net::task<> read_too_late(net::loop& l) {
    test::faulty_stream s(l);
    s.then_pause();
    std::array<char, 2> room;
    const net::io_result r = co_await s.read_some(room, l.deadline_in(0.03));
    CHECK(r.status == io_status::timed_out);
}

net::task<> write_in_parts(net::loop& l) {
    test::faulty_stream s(l);
    s.limit_writes(4);
    std::array<::iovec, 3> pieces;
    pieces[0] = net::piece("abc");
    pieces[1] = net::piece("de");
    pieces[2] = net::piece("f");
    l.spawn(wake_soon(l, s));
    const net::io_result r = co_await s.write_all(pieces, l.deadline_in(5));
    CHECK(r.ok());
    CHECK(r.bytes == 6);
    CHECK(s.written() == "abcdef");
}

net::task<> write_fails(net::loop& l, std::size_t after) {
    test::faulty_stream s(l);
    s.fail_writes_after(after, io_status::reset);
    std::array<::iovec, 2> pieces;
    pieces[0] = net::piece("abc");
    pieces[1] = net::piece("def");
    const net::io_result r = co_await s.write_all(pieces, net::no_deadline);
    CHECK(r.status == io_status::reset);
    CHECK(r.bytes == after);
}

net::task<> write_stalls(net::loop& l) {
    test::faulty_stream s(l);
    s.limit_writes(2);
    std::array<::iovec, 1> pieces;
    pieces[0] = net::piece("abc");
    const net::io_result r = co_await s.write_all(pieces, l.deadline_in(0.03));
    CHECK(r.status == io_status::timed_out);
    CHECK(r.bytes == 2);
}

net::task<> shut_soon(net::loop& l, net::stream& s) {
    co_await test::pause(l, 0.02);
    s.shut();
}

net::task<> shut_ends_wait(net::loop& l) {
    test::faulty_stream s(l);
    s.then_pause();
    std::array<char, 2> room;
    l.spawn(shut_soon(l, s));
    const net::io_result r = co_await s.read_some(room, net::no_deadline);
    CHECK(r.status == io_status::cancelled);
}

net::task<> write_with_others(test::faulty_stream& s, net::queued_write& w, std::string& order) {
    order += 'q';
    const net::wait_status how = co_await s.write_together(w);
    CHECK(how == net::wait_status::ready);
    order += s.written().empty() ? '-' : 'w';
}

net::task<> writes_come_last(net::loop& l) {
    test::faulty_stream first(l);
    test::faulty_stream second(l);
    std::array<::iovec, 2> pieces;
    pieces[0] = net::piece("abc");
    pieces[1] = net::piece("defg");
    std::array<net::queued_write, 2> writes;
    writes[0].pieces = {pieces.data(), 1};
    writes[1].pieces = {pieces.data() + 1, 1};
    second.limit_writes(2);
    std::string order;
    l.spawn(write_with_others(first, writes[0], order));
    l.spawn(write_with_others(second, writes[1], order));
    co_await test::pause(l, 0.02);
    CHECK(order == "qqww");
    CHECK(writes[0].result.ok());
    CHECK(writes[0].result.bytes == 3);
    CHECK(writes[0].pieces.empty());
    CHECK(writes[1].result.status == io_status::would_block);
    CHECK(writes[1].result.bytes == 2);
    CHECK(writes[1].pieces[0].iov_len == 2);
}

net::task<> shut_when(net::signal& go, net::stream& s) {
    static_cast<void>(co_await go.wait());
    s.shut();
}

net::task<> shut_before_the_write(net::loop& l) {
    test::faulty_stream s(l);
    net::signal go(l);
    l.spawn(shut_when(go, s));
    co_await test::pause(l, 0.02);
    std::array<::iovec, 1> pieces;
    pieces[0] = net::piece("abc");
    net::queued_write w;
    w.pieces = pieces;
    go.set();
    const net::wait_status how = co_await s.write_together(w);
    CHECK(how == net::wait_status::cancelled);
    CHECK(w.result.status == io_status::cancelled);
    w.unlink();
    CHECK(s.written().empty());
}

} // namespace

TEST_CASE("Reading waits where nothing is there and passes faults on") {
    net::loop l(0);
    run_on(l, read_steps(l));
}

TEST_CASE("Reading gives up at its deadline") {
    net::loop l(0);
    run_on(l, read_too_late(l));
}

TEST_CASE("A gathered write goes on where the last part ended") {
    net::loop l(0);
    run_on(l, write_in_parts(l));
}

TEST_CASE("A failing write tells how much went") {
    for (std::size_t after = 0; after < 6; ++after) {
        net::loop l(0);
        run_on(l, write_fails(l, after));
    }
}

TEST_CASE("A write that nobody takes times out") {
    net::loop l(0);
    run_on(l, write_stalls(l));
}

TEST_CASE("shut() ends a wait") {
    net::loop l(0);
    run_on(l, shut_ends_wait(l));
}

TEST_CASE("What is written together is written when nobody is left to resume") {
    net::loop l(0);
    run_on(l, writes_come_last(l));
}

TEST_CASE("A stream that is shut first makes no queued write") {
    net::loop l(0);
    run_on(l, shut_before_the_write(l));
}
