#include "support/fetch_bench.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::test;
using kind = step::kind;

namespace {

const std::string good = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nCache-Control: max-age=60\r\n\r\nhello";

std::deque<step> happy() {
    return {connects(), sends(), receives(good)};
}

cache::object_state state_of(const fetch_bench& b) {
    return b.object->state();
}

} // namespace

TEST_CASE("a fetch fills the object and gives the connection back") {
    fetch_bench bench;
    CHECK(bench.run(bench.miss(), happy()).empty());
    CHECK(state_of(bench) == cache::object_state::finished);
    CHECK(bench.body() == "hello");
    CHECK(bench.status() == 200);
    CHECK(bench.object->timing().ttl == 60);
    CHECK(bench.sent == "GET / HTTP/1.1\r\nAccept-Encoding: gzip\r\nX-Varnish: 1002\r\nHost: 192.0.2.1\r\n\r\n");
    CHECK(bench.done == std::vector<std::string>{"recycle", "log given"});
    CHECK(bench.last(log_tag::BackendClose) == "9 b recycle");
    CHECK(bench.last(log_tag::Length) == "5");
    CHECK(bench.last(log_tag::Fetch_Body) == "3 length stream");
    CHECK(bench.texts(log_tag::End).size() == 1);
    CHECK(bench.counters.fetch_length == 1);
}

TEST_CASE("a fetch is found by a lookup while its body is on the way") {
    fetch_bench bench;
    bool seen = false;
    bench.before_step = [&](flow::fetch_fsm&) {
        if (bench.object->state() == cache::object_state::streaming) {
            seen = true;
            CHECK(bench.body() == "he");
        }
    };
    CHECK(bench
              .run(bench.miss(),
                   {connects(), sends(), receives("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"), receives("llo")})
              .empty());
    CHECK(seen);
}

TEST_CASE("bodies come in chunks or until the end") {
    fetch_bench bench;
    CHECK(bench
              .run(bench.miss("a"),
                   {connects(), sends(), receives("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab"),
                    receives("c\r\n2\r\nde\r\n0\r\n"), receives("\r\n")})
              .empty());
    CHECK(bench.body() == "abcde");
    CHECK(bench
              .run(bench.miss("b"), {connects(), sends(), receives("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nxy"),
                                     receives("z"), does(kind::end)})
              .empty());
    CHECK(bench.body() == "xyz");
    CHECK(bench.last(log_tag::BackendClose) == "9 b close Backend/VCL requested close");
}

TEST_CASE("bytes behind the body make the connection useless") {
    fetch_bench bench;
    CHECK(bench.run(bench.miss(), {connects(), sends(), receives(good + "HTTP/1.1 200 OK")}).empty());
    CHECK(bench.body() == "hello");
    CHECK(bench.done.front() == "close");
}

TEST_CASE("every error before the body becomes vcl_backend_error") {
    struct fault {
        std::deque<step> script;
        std::string record;
    };
    const fault faults[] = {
        {{does(kind::refuse)}, "backend b: fail errno 111 (Connection refused)"},
        {{connects(), does(kind::send_fails)}, "backend write error: 32 (Broken pipe) (Client Closed"},
        {{connects(), sends(), does(kind::end)}, "HTC eof (-1)"},
        {{connects(), sends(), does(kind::breaks)}, "HTC eof (-1)"},
        {{connects(), sends(), does(kind::timeout)}, "first byte timeout"},
        {{connects(), sends(), receives("HTTP/1.1 "), does(kind::timeout)}, "timeout"},
        {{connects(), sends(), receives("HTTP/1.1 "), does(kind::end)}, "HTC eof (-1)"},
        {{connects(), sends(), receives("HTTP/1.1 OK\r\n\r\n")}, "http format error"},
        {{connects(), sends(), receives(std::string(40000, 'x'))}, "overflow"},
    };
    for (const fault& f : faults) {
        fetch_bench bench("sub vcl_backend_error { set beresp.body = \"page\"; return (deliver); }");
        INFO(f.record);
        std::string unexpected = bench.run(bench.miss(), f.script);
        if (f.record != "overflow") { // the rest of those bytes has nowhere to go
            CHECK(unexpected.empty());
        }
        CHECK(state_of(bench) == cache::object_state::finished);
        CHECK(bench.status() == 503);
        CHECK(bench.body() == "page");
        CHECK(bench.texts(log_tag::FetchError).front() == f.record);
        CHECK(bench.object->timing().ttl == 0);
        CHECK(bench.counters.fetch_failed == 1);
    }
}

TEST_CASE("a used connection that is dead gets one replacement") {
    fetch_bench bench;
    CHECK(bench.run(bench.miss(), {reuses(), sends(), does(kind::end), connects(), sends(), receives(good)}).empty());
    CHECK(bench.body() == "hello");
    CHECK(bench.counters.backend_retry == 1);
    CHECK(bench.done == std::vector<std::string>{"close", "recycle", "log given"});
}

TEST_CASE("a used connection that answers half gets none") {
    fetch_bench bench;
    CHECK(bench.run(bench.miss(), {reuses(), sends(), receives("HTTP"), does(kind::end)}).empty());
    CHECK(bench.status() == 503);
    CHECK(bench.counters.backend_retry == 0);
}

TEST_CASE("a body that breaks off") {
    const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe";
    SECTION("fails a streaming object") {
        fetch_bench bench;
        CHECK(bench.run(bench.miss(), {connects(), sends(), receives(head), does(kind::end)}).empty());
        CHECK(state_of(bench) == cache::object_state::failed);
        CHECK(bench.last(log_tag::FetchError) == "straight insufficient bytes");
        CHECK(bench.texts(log_tag::Length).empty());
    }
    SECTION("becomes an error page when nothing was shown") {
        fetch_bench bench("sub vcl_backend_response { set beresp.do_stream = false; }"
                          "sub vcl_backend_error { set beresp.body = \"page\"; return (deliver); }");
        CHECK(bench.run(bench.miss(), {connects(), sends(), receives(head), does(kind::timeout)}).empty());
        CHECK(state_of(bench) == cache::object_state::finished);
        CHECK(bench.body() == "page");
        CHECK(bench.texts(log_tag::FetchError) ==
              std::vector<std::string>{"Resource temporarily unavailable", "straight insufficient bytes"});
    }
}

TEST_CASE("cancelling at every step fails the object and leaves nothing open") {
    const std::deque<step> whole = {connects(), sends(), receives("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"),
                                    receives("llo")};
    for (std::size_t at = 0; at < whole.size(); ++at) {
        fetch_bench bench;
        std::deque<step> script(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(at));
        script.push_back(does(kind::cancel));
        INFO(at);
        CHECK(bench.run(bench.miss(), script).empty());
        CHECK(state_of(bench) == cache::object_state::failed);
        CHECK(bench.done.back() == "log given");
        CHECK((at == 0 || bench.done.front() == "close"));
    }
}

TEST_CASE("a machine that is dropped fails its object") {
    fetch_bench bench;
    flow::fetch_request request = bench.miss();
    bench.object = request.object;
    { flow::fetch_fsm machine(bench.svc, bench.port(), std::move(request)); }
    CHECK(state_of(bench) == cache::object_state::failed);
}

TEST_CASE("retries are transactions of their own, up to max_retries") {
    fetch_bench bench("sub vcl_backend_response { if (beresp.status == 500) { return (retry); } }");
    bench.params.set("max_retries", "1", true);
    const std::string bad = "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n";
    SECTION("that succeed") {
        CHECK(
            bench.run(bench.miss(), {connects(), sends(), receives(bad), connects(), sends(), receives(good)}).empty());
        CHECK(bench.body() == "hello");
        CHECK(bench.last(log_tag::Begin) == "bereq 1002 retry");
        CHECK(bench.last(log_tag::Link) == "bereq 1003 retry");
        CHECK(bench.object->vxid() == 1003);
    }
    SECTION("that do not") {
        CHECK(
            bench.run(bench.miss(), {connects(), sends(), receives(bad), connects(), sends(), receives(bad)}).empty());
        CHECK(bench.status() == 503);
        CHECK(bench.last(log_tag::VCL_Error) == "Too many retries, delivering 503");
    }
}

TEST_CASE("abandoning and failing in VCL") {
    for (const char* text :
         {"sub vcl_backend_fetch { return (abandon); }", "sub vcl_backend_fetch { return (fail); }"}) {
        fetch_bench bench(text);
        CHECK(bench.run(bench.miss(), {}).empty());
        CHECK(state_of(bench) == cache::object_state::failed);
    }
    fetch_bench bench("sub vcl_backend_response { return (abandon); }");
    CHECK(bench.run(bench.miss(), happy()).empty());
    CHECK(state_of(bench) == cache::object_state::failed);
    CHECK(bench.done.front() == "close");
}

TEST_CASE("errors made by VCL keep their status and reason") {
    fetch_bench bench("sub vcl_backend_fetch { return (error(418, \"Teapot\")); }");
    CHECK(bench.run(bench.miss(), {}).empty());
    CHECK(bench.status() == 418);
    CHECK(flow::head_of(*bench.object).reason() == "Teapot");
    CHECK(bench.counters.fetch_failed == 0);
}

TEST_CASE("a stale object is revalidated and its body taken over") {
    fetch_bench bench;
    const std::string first = "HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 3\r\nX-Old: 1\r\n"
                              "Cache-Control: max-age=1\r\n\r\nold";
    bench.params.set("default_keep", "100", true);
    CHECK(bench.run(bench.miss(), {connects(), sends(), receives(first)}).empty());
    bench.clock.at += 60;
    flow::fetch_request again = bench.miss();
    REQUIRE(again.stale);
    bench.sent.clear();
    CHECK(bench
              .run(std::move(again),
                   {connects(), sends(), receives("HTTP/1.1 304 Not Modified\r\nETag: \"v\"\r\nX-New: 2\r\n\r\n")})
              .empty());
    CHECK(bench.sent.find("If-None-Match: \"v\"") != std::string::npos);
    CHECK(bench.status() == 200);
    CHECK(bench.body() == "old");
    CHECK(bench.field("X-Old") == "1");
    CHECK(bench.field("X-New") == "2");
    CHECK(bench.done.at(bench.done.size() - 2) == "recycle");
}

TEST_CASE("304 without a question is an error") {
    fetch_bench bench;
    CHECK(bench.run(bench.miss(), {connects(), sends(), receives("HTTP/1.1 304 Not Modified\r\n\r\n")}).empty());
    CHECK(bench.status() == 503);
    CHECK(bench.last(log_tag::Error) == "304 response but not conditional fetch");
}

TEST_CASE("a pass keeps the method and writes no TTL") {
    fetch_bench bench;
    bench.set_request("POST", "/form");
    flow::fetch_request request = bench.pass();
    request.body = flow::request_body::length;
    CHECK(bench.run(std::move(request), happy()).empty());
    CHECK(bench.sent.substr(0, 21) == "POST /form HTTP/1.1\r\n");
    CHECK(bench.texts(log_tag::TTL).empty());
    CHECK(bench.done.front() == "body done");
    CHECK(bench.last(log_tag::Storage) == "malloc Transient");
}

TEST_CASE("a client that breaks off while its body is sent") {
    fetch_bench bench;
    bench.set_request("POST", "/");
    flow::fetch_request request = bench.pass();
    request.body = flow::request_body::chunked;
    CHECK(bench.run(std::move(request), {connects(), does(kind::client_fails)}).empty());
    CHECK(bench.sent.find("Transfer-Encoding: chunked\r\n") != std::string::npos);
    CHECK(bench.done.front() == "body bad");
    CHECK(bench.texts(log_tag::FetchError).front() == "req.body read error: 104 (Connection reset by peer)");
    CHECK(bench.status() == 503);
}

TEST_CASE("a pass that nobody reads any more ends early, but not as a failure") {
    fetch_bench bench;
    bench.before_step = [&](flow::fetch_fsm& m) {
        if (m.target().state() == cache::object_state::streaming) {
            bench.cache.cancel(m.target());
        }
    };
    CHECK(bench
              .run(bench.pass(),
                   {connects(), sends(), receives("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"), receives("cd")})
              .empty());
    CHECK(state_of(bench) == cache::object_state::finished);
    CHECK(bench.last(log_tag::Debug) == "Fetch: Pass delivery abandoned");
    CHECK(bench.done.front() == "close");
}

TEST_CASE("Vary that cannot be stored makes a pass of it") {
    fetch_bench bench;
    CHECK(bench
              .run(bench.miss(),
                   {connects(), sends(), receives("HTTP/1.1 200 OK\r\nVary: a b\r\nContent-Length: 1\r\n\r\nx")})
              .empty());
    CHECK(bench.last(log_tag::Error) == "Illegal 'Vary' header from backend, making this a pass.");
    CHECK(bench.object->has(cache::object_flag::hit_for_miss));
}
