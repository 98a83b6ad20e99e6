#include "support/allocation_counter.hpp"
#include "support/serving_rig.hpp"
#include "support/system_calls.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using test::serving_rig;

namespace {

#ifdef CLEARCOAT_SANITIZED
constexpr bool counting = false;
#else
constexpr bool counting = true;
#endif

} // namespace

TEST_CASE("a hit is answered from the cache", "[server]") {
    serving_rig rig;
    rig.connect();
    const std::string answer(rig.exchange(rig.hit));
    CHECK(answer.starts_with("HTTP/1.1 200 OK\r\n"));
    CHECK(answer.find("\r\nX-Varnish: 1002 ") != answer.npos);
    CHECK(answer.find("\r\nAge: 0\r\n") != answer.npos);
    CHECK(answer.ends_with("\r\n\r\n" + std::string(1024, 'x')));
    CHECK(rig.counters().cache_hit == 1);
}

TEST_CASE("a warm hit allocates nothing", "[server]") {
    serving_rig rig;
    rig.connect();
    for (int i = 0; i < 3; ++i) {
        rig.exchange(rig.hit);
    }
    test::reset_allocations();
    for (int i = 0; i < 100; ++i) {
        rig.loop.run_ready(); // costs one to begin, which a loop that runs on does not
    }
    const std::size_t without = test::allocations().calls;
    test::reset_allocations();
    for (int i = 0; i < 100; ++i) {
        REQUIRE(rig.exchange(rig.hit).size() > 1024);
    }
    CHECK(test::allocations().calls == without);
}

TEST_CASE("a hit costs one receive and one send", "[server]") {
    serving_rig rig;
    rig.connect();
    rig.exchange(rig.hit);
    test::reset_system_calls();
    for (int i = 0; i < 10; ++i) {
        REQUIRE(rig.exchange(rig.hit).size() > 1024);
    }
    const test::system_call_count calls = test::system_calls();
    CHECK(calls.receives == (counting ? 10 : 0));
    CHECK(calls.sends == (counting ? 10 : 0));
    CHECK(calls.others == 0);
    CHECK(calls.waits <= 20); // one that finds the request, one that finds nothing more
}

TEST_CASE("pipelined requests are answered in order, from one receive", "[server]") {
    serving_rig rig;
    rig.connect();
    const std::string three =
        std::string(rig.hit) + "HEAD /object HTTP/1.1\r\nHost: example.com\r\n\r\n" + std::string(rig.hit);
    test::reset_system_calls();
    const std::string answers(rig.exchange(three));
    CHECK(test::system_calls().receives == (counting ? 1 : 0));
    CHECK(rig.counters().cache_hit == 3);
    const std::string body(1024, 'x');
    const std::size_t first = answers.find(body);
    REQUIRE(first != answers.npos);
    CHECK(answers.find(body, first + body.size()) + body.size() == answers.size());
}

TEST_CASE("a head that comes in pieces is put together", "[server]") {
    serving_rig rig;
    rig.connect();
    for (char c : rig.hit.substr(0, rig.hit.size() - 1)) {
        CHECK(rig.exchange({&c, 1}).empty());
    }
    CHECK(rig.exchange("\n").starts_with("HTTP/1.1 200 OK\r\n"));
}

TEST_CASE("what is no request is answered with 400 and the connection closed", "[server]") {
    serving_rig rig;
    rig.connect();
    CHECK(rig.exchange("GET\r\n\r\n") == "HTTP/1.1 400 Bad Request\r\n\r\n");
    CHECK(rig.counters().client_req_400 == 1);
    rig.write(rig.hit);
    rig.loop.run_ready();
    CHECK(rig.read().empty());
}

TEST_CASE("an idle connection keeps little memory", "[server]") {
    serving_rig rig(64);
    rig.connect();
    rig.exchange(rig.hit);
    test::reset_allocations();
    rig.connect(); // while the first one hangs up
    rig.exchange(rig.hit);
    if (counting) {
        // The session itself, what is known of it, and one coroutine's frames; the rest is given back between requests.
        CHECK(test::allocations().bytes <= 1400);
    }
    CHECK(server::h1_session::memory_size <= 480);
}

TEST_CASE("a page of cached parts goes out in one send", "[server]") {
    serving_rig rig(1024, "sub vcl_backend_response { set beresp.do_esi = bereq.url ~ \"^/page\"; }");
    rig.add("/page/inner", "", "<i><esi:include src=\"/object\"/></i>");
    rig.add("/page", "", "<p><esi:include src=\"/page/inner\"/><esi:include src=\"/object\"/></p>");
    rig.connect();
    test::reset_system_calls();
    const std::string answer(rig.exchange("GET /page HTTP/1.1\r\nHost: example.com\r\n\r\n"));
    const std::string part(1024, 'x');
    CHECK(answer.find("\r\nTransfer-Encoding: chunked\r\n") != answer.npos);
    CHECK(answer.find("\r\n\r\n80e\r\n<p><i>" + part + "</i>" + part + "</p>\r\n0\r\n\r\n") != answer.npos);
    CHECK(test::system_calls().sends == (counting ? 1 : 0));
    CHECK(rig.counters().esi_req == 3);
    CHECK(rig.counters().s_resp_bodybytes == 2062);
}

TEST_CASE("a page larger than the session's buffer arrives whole", "[server]") {
    serving_rig rig(40000, "sub vcl_backend_response { set beresp.do_esi = bereq.url ~ \"^/page\"; }");
    rig.add("/page", "", "<p><esi:include src=\"/object\"/><esi:include src=\"/object\"/></p>");
    rig.connect();
    const std::string answer(rig.exchange("GET /page HTTP/1.0\r\nHost: example.com\r\n\r\n"));
    const std::string part(40000, 'x');
    CHECK(answer.ends_with("\r\n\r\n<p>" + part + part + "</p>"));
}
