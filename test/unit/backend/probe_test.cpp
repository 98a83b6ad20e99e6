#include "backend/backend.hpp"
#include "backend/probe.hpp"
#include "fake_services.hpp"
#include "origin.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using test::run_on;

namespace {

vcl::backend_spec probed(const test::origin& peer) {
    vcl::backend_spec made;
    made.name = "b";
    made.host_header = "example.com";
    made.ipv4 = peer.address();
    made.probe.emplace();
    made.probe->url = "/health";
    made.probe->interval = 0.05;
    made.probe->timeout = 0.2;
    made.probe->window = 3;
    made.probe->threshold = 2;
    made.probe->initial = 0;
    return made;
}

std::shared_ptr<backend::endpoint> where(const test::origin& peer) {
    backend::endpoint_address address;
    address.ipv4 = peer.address();
    return std::make_shared<backend::endpoint>(address);
}

bool logged(test::fake_services& s, std::string_view text) {
    for (const std::string& line : s.logged()) {
        if (line.find(text) != line.npos) {
            return true;
        }
    }
    return false;
}

/// Waits until the log has it, as long as a loaded machine may need.
net::task<bool> comes(net::loop& l, test::fake_services& s, std::string_view text) {
    for (int i = 0; i < 500 && !logged(s, text); ++i) {
        co_await test::pause(l, 0.02);
    }
    co_return logged(s, text);
}

net::task<> health_follows(net::loop& l) {
    test::origin peer(l);
    peer.answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    peer.close_after = true;
    test::fake_services services(&l);
    backend::backend b("boot", probed(peer), where(peer), services);
    CHECK(!b.state(nullptr).healthy);
    CHECK(b.probed());
    CHECK(!services.segments.front().visible);
    b.warm();
    CHECK(services.segments.front().visible);
    bool came = co_await comes(l, services, "b Went healthy 4---X-RH 2 2 3 ");
    CHECK(came);
    CHECK(b.state(nullptr).healthy);
    CHECK(b.state(nullptr).changed > 0);
    CHECK(peer.received.starts_with("GET /health HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n"));
    CHECK(logged(services, "\"HTTP/1.1 200 OK\""));
    CHECK((b.counters().happy & 3) == 3);
    peer.answer = "HTTP/1.1 503 Bad\r\n\r\n";
    came = co_await comes(l, services, "b Went sick 4---X-R- 1 2 3 ");
    CHECK(came);
    CHECK(!b.state(nullptr).healthy);
    peer.stop();
    came = co_await comes(l, services, "\"Open error 111 (Connection refused)\"");
    CHECK(came);
    b.cool();
    const std::size_t lines = services.logged().size();
    co_await test::pause(l, 0.3);
    CHECK(services.logged().size() == lines);
}

net::task<> silent_and_empty(net::loop& l) {
    test::origin peer(l);
    test::fake_services services(&l);
    backend::backend b("boot", probed(peer), where(peer), services);
    b.warm();
    bool came =
        co_await comes(l, services, "4---Xr-- 0 2 3 0.000000 0.000000 \"Poll error 110 (Connection timed out)\"");
    CHECK(came);
    peer.close_after = true;
    came = co_await comes(l, services, "\"Empty response\"");
    CHECK(came);
}

net::task<> without_close(net::loop& l) {
    test::origin peer(l);
    peer.answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"; // and keeps the connection
    test::fake_services services(&l);
    vcl::backend_spec spec = probed(peer);
    spec.probe->expect_close = false;
    backend::backend b("boot", spec, where(peer), services);
    b.warm();
    const bool came = co_await comes(l, services, "b Went healthy ");
    CHECK(came);
    CHECK(b.state(nullptr).healthy);
}

net::task<> dropped_while_poking(net::loop& l) {
    test::origin peer(l); // never answers
    test::fake_services services(&l);
    auto b = std::make_unique<backend::backend>("boot", probed(peer), where(peer), services);
    b->warm();
    co_await test::pause(l, 0.05);
    b->cool();
    b.reset();
    co_await test::pause(l, 0.5);
    CHECK(services.segments.empty());
}

} // namespace

TEST_CASE("A backend's health follows its probe while it is warm") {
    net::loop l(0);
    run_on(l, health_follows(l));
}

TEST_CASE("Peers that say nothing") {
    net::loop l(0);
    run_on(l, silent_and_empty(l));
}

TEST_CASE("A probe that does not expect the connection's end") {
    net::loop l(0);
    run_on(l, without_close(l));
}

TEST_CASE("A backend that goes while it is poked") {
    net::loop l(0);
    run_on(l, dropped_while_poking(l));
}
