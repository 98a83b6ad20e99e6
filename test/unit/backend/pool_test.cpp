#include "backend/pool.hpp"
#include "fake_services.hpp"
#include "origin.hpp"
#include "support/allocation_counter.hpp"

#include <catch2/catch.hpp>

#include <cerrno>
#include <thread>

#include <unistd.h>

using namespace clearcoat;
using backend::acquire_status;
using test::run_on;

namespace {

struct fixture {
    explicit fixture(net::loop& l) : loop(l), peer(l) { peer.answer = "hello"; }
    net::loop& loop;
    test::origin peer;
    test::fake_services services;
    backend::endpoint_table table;

    std::unique_ptr<backend::backend> make(const vcl::backend_spec& spec) {
        backend::endpoint_address address;
        address.ipv4 = spec.ipv4;
        address.ipv6 = spec.ipv6;
        address.path = spec.path;
        return std::make_unique<backend::backend>("boot", spec, table.find_or_add(address), services);
    }
    vcl::backend_spec spec() const {
        vcl::backend_spec made;
        made.name = "b";
        made.ipv4 = peer.address();
        return made;
    }
};

net::task<> ask(net::stream& s, std::string_view text, std::string& out) {
    std::array<::iovec, 1> pieces;
    pieces[0] = net::piece(text);
    co_await s.write_all(pieces, s.home().deadline_in(5));
    std::array<char, 64> room;
    const net::io_result r = co_await s.read_some(room, s.home().deadline_in(5));
    out.assign(room.data(), r.bytes);
}

net::task<> connect_and_reuse(net::loop& l) {
    fixture f(l);
    auto b = f.make(f.spec());
    auto twin = f.make(f.spec()); // shares the pool
    const backend::acquire_options options;
    backend::acquire_result got = co_await backend::acquire(l, *b, options);
    REQUIRE(got.status == acquire_status::ok);
    CHECK(!got.connection.reused());
    CHECK(got.connection.remote() == f.peer.address());
    CHECK(backend::describe_open(got.connection).find(" b 127.0.0.1 ") != std::string::npos);
    std::string answer;
    co_await ask(got.connection.stream(), "x", answer);
    CHECK(answer == "hello");
    CHECK(b->connections() == 1);
    got.connection.recycle(60);
    CHECK(b->connections() == 0);
    CHECK(b->where().idle_count(l) == 1);
    got = co_await backend::acquire(l, *twin, options);
    CHECK(got.connection.reused());
    CHECK(b->where().idle_count(l) == 0);
    got.connection.recycle(60);
    backend::acquire_options fresh;
    fresh.force_fresh = true;
    got = co_await backend::acquire(l, *b, fresh);
    CHECK(!got.connection.reused());
    got.connection.close();
    CHECK(b->counters().req == 2);
    CHECK(b->counters().conn == 0);
    got = backend::acquire_result();
    b.reset();
    twin.reset();
    CHECK(f.services.segments.empty());
    CHECK(f.services.backends == 0);
    co_await test::pause(l, 0.02); // the pool's letter
}

net::task<> idle_ends(net::loop& l) {
    fixture f(l);
    auto b = f.make(f.spec());
    const backend::acquire_options options;
    backend::acquire_result got = co_await backend::acquire(l, *b, options);
    REQUIRE(got.status == acquire_status::ok);
    got.connection.recycle(0.05);
    co_await test::pause(l, 0.15);
    CHECK(b->where().idle_count(l) == 0); // its time was over
    got = co_await backend::acquire(l, *b, options);
    CHECK(!got.connection.reused());
    got.connection.recycle(60);
    co_await test::pause(l, 0.05);
    f.peer.close_all();
    co_await test::pause(l, 0.05);
    CHECK(b->where().idle_count(l) == 0); // the peer has left
    got = co_await backend::acquire(l, *b, options);
    CHECK(!got.connection.reused());
    std::string answer;
    co_await ask(got.connection.stream(), "x", answer);
    f.peer.close_all();
    co_await test::pause(l, 0.05);
    got.connection.recycle(60);
    CHECK(b->where().idle_count(l) == 0); // not worth keeping
    b.reset();
    co_await test::pause(l, 0.02);
}

net::task<> refusals(net::loop& l) {
    fixture f(l);
    vcl::backend_spec limited = f.spec();
    limited.max_connections = 1;
    auto b = f.make(limited);
    const backend::acquire_options options;
    backend::acquire_result first = co_await backend::acquire(l, *b, options);
    REQUIRE(first.status == acquire_status::ok);
    backend::acquire_result got = co_await backend::acquire(l, *b, options);
    CHECK(got.status == acquire_status::busy);
    CHECK(backend::describe_failure(*b, got) == "backend b: busy");
    CHECK(b->counters().busy == 1);
    first.connection.close();
    b->set_admin(vcl::director::admin_health::sick, 1);
    got = co_await backend::acquire(l, *b, options);
    CHECK(got.status == acquire_status::unhealthy);
    CHECK(backend::describe_failure(*b, got) == "backend b: unhealthy");
    b->set_admin(vcl::director::admin_health::automatic, 2);
    f.peer.stop();
    got = co_await backend::acquire(l, *b, options);
    CHECK(got.status == acquire_status::failed);
    CHECK(backend::describe_failure(*b, got) == "backend b: fail errno 111 (Connection refused)");
    CHECK(b->counters().fail_econnrefused == 1);
    got = co_await backend::acquire(l, *b, options); // held down
    CHECK(got.status == acquire_status::failed);
    CHECK(got.error == 0);
    CHECK(b->counters().helddown == 1);
    co_await test::pause(l, 0.3);
    got = co_await backend::acquire(l, *b, options);
    CHECK(got.error == ECONNREFUSED);
    CHECK(b->connections() == 0);
}

net::task<> proxied(net::loop& l) {
    fixture f(l);
    vcl::backend_spec spec = f.spec();
    spec.proxy_header = 1;
    auto b = f.make(spec);
    backend::acquire_options options;
    options.client = *base::parse_ip("192.0.2.1", 1234);
    options.server = *base::parse_ip("192.0.2.2", 80);
    backend::acquire_result got = co_await backend::acquire(l, *b, options);
    REQUIRE(got.status == acquire_status::ok);
    CHECK(got.preamble_bytes == 40);
    CHECK(!got.connection.reusable());
    co_await test::pause(l, 0.05);
    CHECK(f.peer.received == "PROXY TCP4 192.0.2.1 192.0.2.2 1234 80\r\n");
    got.connection.recycle(60);
    CHECK(b->where().idle_count(l) == 0);
}

net::task<> families(net::loop& l) {
    fixture f(l);
    const std::string path = "/tmp/clearcoat_pool_test." + std::to_string(::getpid());
    test::origin local(l, sys::socket_address::unix_path(path));
    vcl::backend_spec spec;
    spec.name = "u";
    spec.path = path;
    auto b = f.make(spec);
    CHECK(b->host_header() == "0.0.0.0");
    const backend::acquire_options options;
    backend::acquire_result got = co_await backend::acquire(l, *b, options);
    CHECK(got.status == acquire_status::ok);
    CHECK(got.connection.remote() == base::bogus_ip);
    got.connection.close();
    ::unlink(path.c_str());
    spec = f.spec();
    spec.ipv6 = *base::parse_ip("::1", f.peer.address().port);
    spec.ipv4 = *base::parse_ip("127.0.0.1", 1); // nobody listens: the second address is tried
    spec.host = "example.com";
    b = f.make(spec);
    CHECK(b->host_header() == "example.com");
    got = co_await backend::acquire(l, *b, options);
    CHECK(got.status == acquire_status::failed);
    CHECK(got.error != 0);
}

net::task<> reuse_often(net::loop& l, backend::backend& b, int times) {
    const backend::acquire_options options;
    for (int i = 0; i < times; ++i) {
        backend::acquire_result got = co_await backend::acquire(l, b, options);
        CHECK(got.status == acquire_status::ok);
        got.connection.recycle(60);
    }
}

net::task<> no_allocation(net::loop& l) {
    fixture f(l);
    auto b = f.make(f.spec());
    co_await reuse_often(l, *b, 10);
    test::reset_allocations();
    co_await reuse_often(l, *b, 100);
#ifndef CLEARCOAT_SANITIZED
    CHECK(test::allocations().calls == 0);
#endif
    CHECK(f.peer.accepted == 1);
}

/// A listener whose queue is full, so that connecting to it takes for ever.
class silent_listener {
  public:
    silent_listener() : fd_(sys::bind_stream(sys::socket_address(*base::parse_ip("127.0.0.1")), false)) {
        ::listen(fd_.get(), 0);
        for (sys::unique_fd& caller : callers_) {
            caller = sys::start_connect(sys::socket_address(address()));
        }
    }
    base::ip_address address() const { return net::socket_local_address(fd_.get()); }

  private:
    sys::unique_fd fd_;
    std::array<sys::unique_fd, 4> callers_;
};

net::task<> cancel_later(net::loop& l, backend::acquire_attempt& attempt) {
    co_await test::pause(l, 0.05);
    attempt.cancel();
}

net::task<> cancelled(net::loop& l) {
    fixture f(l);
    silent_listener nobody;
    vcl::backend_spec spec = f.spec();
    spec.ipv4 = nobody.address();
    auto b = f.make(spec);
    backend::acquire_attempt attempt;
    backend::acquire_options options;
    options.connect_timeout = 30;
    options.attempt = &attempt;
    l.spawn(cancel_later(l, attempt));
    const base::seconds begin = l.now();
    backend::acquire_result got = co_await backend::acquire(l, *b, options);
    CHECK(got.status == acquire_status::cancelled);
    CHECK(l.now() - begin < 5);
    got = co_await backend::acquire(l, *b, options);
    CHECK(got.status == acquire_status::cancelled); // none begins any more
    CHECK(b->connections() == 0);
    b.reset();
    co_await test::pause(l, 0.02);
}

} // namespace

TEST_CASE("A connection is made, given back, shared with a twin and taken again") {
    net::loop l(0);
    run_on(l, connect_and_reuse(l));
}

TEST_CASE("Idle connections end by time and by the peer") {
    net::loop l(0);
    run_on(l, idle_ends(l));
}

TEST_CASE("Busy, sick, refused, held down") {
    net::loop l(0);
    run_on(l, refusals(l));
}

TEST_CASE("A backend with a PROXY header") {
    net::loop l(0);
    run_on(l, proxied(l));
}

TEST_CASE("Unix sockets, and both families in turn") {
    net::loop l(0);
    run_on(l, families(l));
}

TEST_CASE("Taking an idle connection and giving it back allocates nothing") {
    net::loop l(0);
    run_on(l, no_allocation(l));
}

#ifndef CLEARCOAT_SANITIZED
TEST_CASE("Coroutine frames of connecting stay below what Asio recycles") {
    std::size_t largest = 0;
    std::thread fresh([&largest] {
        net::loop l(0);
        fixture f(l);
        vcl::backend_spec spec = f.spec();
        spec.proxy_header = 2;
        auto b = f.make(spec);
        test::reset_allocations();
        l.spawn(test::stop_after(l, reuse_often(l, *b, 1)));
        l.run();
        largest = test::allocations().largest;
    });
    fresh.join();
    INFO(largest);
    CHECK(largest < 1020);
}
#endif

TEST_CASE("Which timeout counts") {
    CHECK(backend::backend::pick_timeout(1, 2.0, 3) == 1);
    CHECK(backend::backend::pick_timeout(0, 2.0, 3) == 2);
    CHECK(backend::backend::pick_timeout(0, std::nullopt, 3) == 3);
}

TEST_CASE("connecting can be cancelled") {
    net::loop l(0);
    run_on(l, cancelled(l));
}
