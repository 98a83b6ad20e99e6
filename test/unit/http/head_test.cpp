#include "unit/http/message.hpp"

#include "http/filter.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using http::field_id;
using test::message;
using test::recorder;
using test::request;
using lines = std::vector<std::string>;

TEST_CASE("fields are found by number and by name, without case") {
    request m(request::get("Host: a\r\nX-One: 1\r\nx-one: 2\r\nEmpty:\r\n"));
    CHECK(m.head.get(field_id::host) == "a");
    CHECK(m.head.get("HOST") == "a");
    CHECK(m.head.get("X-ONE") == "1");
    CHECK(m.head.count("X-One") == 2);
    CHECK(m.head.get("Empty").data() != nullptr);
    CHECK(m.head.get("Empty").empty());
    CHECK(m.head.get("Missing").data() == nullptr);
    CHECK(m.head.get(field_id::cookie).data() == nullptr);
    CHECK(m.head.is(field_id::host, "A"));
    CHECK_FALSE(m.head.is(field_id::host, "ab"));
}

TEST_CASE("changes are told to the listener") {
    request m(request::get("Host: a\r\nFoo: 1\r\nfoo: 2\r\n"));
    recorder r;
    m.head.set_listener(&r);
    CHECK(m.head.replace("Foo", "3"));
    CHECK(m.head.unset("Nothing") == 0);
    CHECK(m.head.unset(field_id::host) == 1);
    CHECK(m.head.force("Foo", "3"));
    m.head.set_method("PUT");
    m.head.set_url("/x");
    m.head.set_protocol("HTTP/1.0");
    m.head.set_status(1404);
    m.head.set_status(200, "Fine");
    CHECK(m.head.version() == 10);
    CHECK(m.head.status() == 200);
    CHECK(r.heard == lines{"unset Foo: 1", "unset foo: 2", "field Foo: 3", "unset Host: a", "method PUT", "url /x",
                           "protocol HTTP/1.0", "status 404", "reason Not Found", "status 200", "reason Fine"});
    CHECK(m.lines() == lines{"Foo: 3"});
}

TEST_CASE("a removed name can be found again when it comes back") {
    message m;
    CHECK(m.head.add(field_id::age, "1"));
    CHECK(m.head.unset(field_id::age) == 1);
    CHECK(m.head.find(field_id::age) == nullptr);
    CHECK(m.head.add_line("age: 2"));
    CHECK(m.head.get(field_id::age) == "2");
}

TEST_CASE("several fields become one") {
    request m(request::get("A: 1\r\nCookie: a=b\r\nB: 2\r\ncookie:   c=d\r\nCookie: e=f\r\n"));
    recorder r;
    m.head.set_listener(&r);
    CHECK(m.head.collect(field_id::cookie, "; "));
    CHECK(m.lines() == lines{"A: 1", "Cookie: a=b; c=d; e=f", "B: 2"});
    CHECK(m.head.collect("Missing"));
    CHECK(r.heard.empty());
}

TEST_CASE("a value is appended") {
    message m;
    CHECK(m.head.append_to("X-Forwarded-For", "1.2.3.4"));
    CHECK(m.head.append_to("X-Forwarded-For", "5.6.7.8"));
    CHECK(m.lines() == lines{"X-Forwarded-For: 1.2.3.4, 5.6.7.8"});
}

TEST_CASE("too many fields are lost") {
    message m;
    recorder r;
    m.head.reset(m.memory, http::head::start_line_slots + 2, &r);
    CHECK(m.head.add("A", "1"));
    CHECK(m.head.add_line("B: 2"));
    CHECK_FALSE(m.head.add("C", "3"));
    CHECK_FALSE(m.head.add_line("D: 4"));
    CHECK(r.heard == lines{"field A: 1", "field B: 2", "lost C:", "lost D: 4"});
    CHECK(m.lines() == lines{"A: 1", "B: 2"});
}

TEST_CASE("a full workspace loses the field") {
    message m;
    recorder r;
    m.head.set_listener(&r);
    CHECK(m.head.add("A", "1"));
    m.memory.set_limit(m.memory.used() + 4);
    CHECK_FALSE(m.head.add("B", "22222222"));
    CHECK_FALSE(m.head.collect("B") == false);
    CHECK(m.head.keep("too long for it").data() == nullptr);
    CHECK(r.heard == lines{"field A: 1", "lost B:", "lost too long for it"});
    CHECK(m.memory.overflowed());
}

TEST_CASE("filtered copies share the views") {
    request from(
        request::get("Host: a\r\nConnection: x-private\r\nX-Private: 1\r\nIf-None-Match: \"a\"\r\nTE: trailers\r\n"));
    from.head.mark_hop_by_hop("x-private");
    message pass;
    CHECK(pass.head.copy_filtered(from.head, http::filter_use::request_pass));
    CHECK(pass.lines() == lines{"Host: a", "If-None-Match: \"a\""});
    CHECK(pass.head.method() == "GET");
    CHECK(pass.head.fields()[0].line == from.head.fields()[0].line);
    message fetch;
    CHECK(fetch.head.copy_filtered(from.head, http::filter_use::request_fetch));
    CHECK(fetch.lines() == lines{"Host: a"});
    message whole;
    CHECK(whole.head.copy(from.head));
    CHECK(whole.head.fields().size() == 5);
    CHECK(whole.head.get(field_id::te) == "trailers");
}

TEST_CASE("a head outlives its receive buffer once it is copied home") {
    request m(request::get("Host: a\r\nFoo: 1\r\n"));
    CHECK(m.head.copy_home());
    std::fill(m.text.begin(), m.text.end(), 'x');
    CHECK(m.head.url() == "/");
    CHECK(m.lines() == lines{"Host: a", "Foo: 1"});
}

TEST_CASE("more fields than the first array holds") {
    message m;
    for (int i = 0; i < 59; ++i) {
        CHECK(m.head.add(std::string_view("N" + std::to_string(i)), "v"));
    }
    CHECK_FALSE(m.head.add("N59", "v"));
    CHECK(m.field_text(0) == "N0: v");
    CHECK(m.field_text(58) == "N58: v");
}

TEST_CASE("a report gives all parts in order") {
    request m(request::get("Host: a\r\n"));
    recorder r;
    m.head.set_listener(&r);
    m.head.report();
    CHECK(r.heard == lines{"method GET", "url /", "protocol HTTP/1.1", "field Host: a"});
}
