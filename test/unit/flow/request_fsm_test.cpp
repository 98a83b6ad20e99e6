#include "support/fetch_bench.hpp"

#include "flow/request_fsm.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::test;
using flow::request_action;

namespace {

class key_waiter final : public cache::waiter {
  public:
    void wake() noexcept override { woken = true; }
    bool woken = false;
};

/// One request driven by hand over the bench's cache, with a log of its own.
class client final : private flow::vcl_source {
  public:
    explicit client(fetch_bench& bench, std::string_view method = "GET", std::string_view url = "/") : bench_(bench) {
        log.reset(2001, base::log_side::client);
        txn.received = txn.first_byte = bench.clock.at;
        for (http::head* h : {&txn.head}) {
            h->set_listener(nullptr);
            h->set_method(method);
            h->set_url(url);
            h->set_protocol("HTTP/1.1");
            h->add("Host", "example.com");
            h->set_listener(&txn.head_records);
        }
        txn.vcl = bench.vcl.program();
        fsm.host().times().mark(log, "Start", bench.clock.at);
        fsm.begin();
    }

    /// Fetches what the machine asks for with that script, then the machine's next action.
    request_action fetch(std::deque<step> script) {
        std::string wrong = bench_.run(fsm.take_fetch(), std::move(script));
        CHECK(wrong.empty());
        CHECK(fsm.resume() == request_action::wait_fetch);
        return fsm.resume();
    }
    std::vector<std::string> texts(log_tag tag) const { return log.texts(tag); }

    kept_log log;
    key_waiter waiter;

  private:
    flow::vcl_hold active() noexcept override { return bench_.vcl.program(); }
    flow::vcl_hold by_label(std::string_view) noexcept override { return {}; }
    fetch_bench& bench_;
    flow::session_settings settings_;
    std::shared_ptr<const flow::session_facts> facts_ = std::make_shared<flow::session_facts>();

  public:
    flow::request txn{bench_.svc, log, *facts_, settings_};
    flow::request_fsm fsm{txn, bench_.port(), *this, waiter};
};

std::deque<step> answer(std::string head, std::string body) {
    return {
        connects(), sends(),
        receives("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + head + "\r\n" + body)};
}

} // namespace

TEST_CASE("a miss fetches and delivers; the next request is a hit") {
    fetch_bench bench;
    {
        client c(bench);
        REQUIRE(c.fsm.resume() == request_action::start_fetch);
        REQUIRE(c.fetch(answer("Cache-Control: max-age=60\r\n", "hello")) == request_action::deliver);
        CHECK(c.txn.response.get("X-Varnish") == "2001");
        CHECK(c.fsm.plan().length == 5);
        CHECK(c.fsm.plan().send_body);
        CHECK(c.fsm.resume() == request_action::done);
        CHECK(bench.counters.cache_miss == 1);
    }
    bench.clock.at += 7;
    client c(bench);
    REQUIRE(c.fsm.resume() == request_action::deliver);
    CHECK(c.txn.response.get("Age") == "7");
    CHECK(c.txn.response.get("X-Varnish") == "2001 1002");
    CHECK(c.texts(log_tag::VCL_call) == std::vector<std::string>{"RECV", "HASH", "HIT", "DELIVER"});
    CHECK(c.fsm.resume() == request_action::done);
    CHECK(bench.counters.cache_hit == 1);
}

TEST_CASE("a request with a cookie passes, and reads its own answer only") {
    fetch_bench bench;
    client c(bench);
    c.txn.head.add("Cookie", "a=b");
    REQUIRE(c.fsm.resume() == request_action::start_fetch);
    REQUIRE(c.fetch(answer("", "mine")) == request_action::deliver);
    CHECK(c.fsm.resume() == request_action::done);
    CHECK(bench.counters.s_pass == 1);
    client other(bench);
    CHECK(other.fsm.resume() == request_action::start_fetch);
    static_cast<void>(bench.run(other.fsm.take_fetch(), {does(step::kind::cancel)}));
}

TEST_CASE("a request waits for another's fetch and is woken by it") {
    fetch_bench bench;
    client first(bench);
    REQUIRE(first.fsm.resume() == request_action::start_fetch);
    client second(bench);
    REQUIRE(second.fsm.resume() == request_action::wait_key);
    REQUIRE(first.fetch(answer("", "x")) == request_action::deliver);
    CHECK(second.waiter.woken);
    CHECK(second.fsm.resume() == request_action::deliver);
    CHECK(second.txn.is_hit);
}

TEST_CASE("a failed fetch is answered by the backend's error page") {
    fetch_bench bench;
    client c(bench);
    REQUIRE(c.fsm.resume() == request_action::start_fetch);
    REQUIRE(c.fetch({does(step::kind::refuse)}) == request_action::deliver);
    CHECK(c.txn.response.status() == 503);
}

TEST_CASE("a bad Expect is answered 417 and closes") {
    fetch_bench bench;
    client c(bench);
    c.txn.head.add("Expect", "a-miracle");
    CHECK(c.fsm.resume() == request_action::send_minimal);
    CHECK(c.fsm.minimal_status() == 417);
    CHECK(c.txn.closing == tables::close_reason::rx_junk);
    CHECK(c.fsm.resume() == request_action::done);
}

TEST_CASE("a repeated Host is answered 400") {
    fetch_bench bench;
    client c(bench);
    c.txn.head.add("Host", "other.example.com");
    CHECK(c.fsm.resume() == request_action::send_minimal);
    CHECK(c.fsm.minimal_status() == 400);
    CHECK(c.texts(log_tag::BogoHeader) == std::vector<std::string>{"Multiple Host: headers"});
}

TEST_CASE("VCL that fails is answered 503 and closes") {
    fetch_bench bench("sub vcl_recv { return (fail); }");
    client c(bench);
    REQUIRE(c.fsm.resume() == request_action::deliver);
    CHECK(c.txn.response.status() == 503);
    CHECK(c.txn.response.reason() == "VCL failed");
    CHECK(c.txn.closing == tables::close_reason::vcl_failure);
}

TEST_CASE("restarts begin a new transaction and end at the limit") {
    fetch_bench bench("sub vcl_recv { return (restart); }");
    client c(bench);
    REQUIRE(c.fsm.resume() == request_action::deliver);
    CHECK(c.txn.response.status() == 503);
    CHECK(c.texts(log_tag::VCL_Error) == std::vector<std::string>{"Too many restarts"});
    CHECK(c.texts(log_tag::Link).size() == bench.block.max_restarts());
}

TEST_CASE("a synthetic answer carries VCL's status, reason and body") {
    fetch_bench bench("sub vcl_recv { return (synth(404, \"Gone fishing\")); } "
                      "sub vcl_synth { set resp.body = \"later\"; return (deliver); }");
    client c(bench);
    REQUIRE(c.fsm.resume() == request_action::deliver);
    CHECK(c.txn.response.status() == 404);
    CHECK(c.txn.response.reason() == "Gone fishing");
    CHECK(c.txn.response.get("Content-Length") == "5");
    CHECK(c.txn.synthetic == "later");
}

TEST_CASE("a purge empties the key and answers") {
    fetch_bench bench("sub vcl_recv { if (req.method == \"PURGE\") { return (purge); } }");
    {
        client c(bench);
        REQUIRE(c.fsm.resume() == request_action::start_fetch);
        c.fetch(answer("", "x"));
    }
    client purger(bench, "PURGE");
    REQUIRE(purger.fsm.resume() == request_action::deliver);
    CHECK(purger.txn.response.reason() == "Purged");
    client c(bench);
    CHECK(c.fsm.resume() == request_action::start_fetch);
    static_cast<void>(bench.run(c.fsm.take_fetch(), {does(step::kind::cancel)}));
}

TEST_CASE("a range of a cached object is planned") {
    fetch_bench bench;
    {
        client c(bench);
        REQUIRE(c.fsm.resume() == request_action::start_fetch);
        c.fetch(answer("", "0123456789"));
    }
    client c(bench);
    c.txn.head.add("Range", "bytes=2-4");
    REQUIRE(c.fsm.resume() == request_action::deliver);
    CHECK(c.txn.response.status() == 206);
    CHECK(c.txn.response.get("Content-Range") == "bytes 2-4/10");
    CHECK(c.fsm.plan().length == 3);
}

TEST_CASE("an unread body is dropped before the answer") {
    fetch_bench bench("sub vcl_recv { return (synth(200)); }");
    client c(bench, "POST");
    c.txn.body.now = flow::received_body::state::unread;
    CHECK(c.fsm.resume() == request_action::drop_body);
    c.txn.body.now = flow::received_body::state::taken;
    CHECK(c.fsm.resume() == request_action::deliver);
}
