#include "http/h1/framing.hpp"

#include "unit/http/message.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::http::h1;
using test::request;
using test::response;

namespace {

std::string describe(const framing& f) {
    return std::string(name_of(f.kind)) + (f.kind == body_kind::length ? " " + std::to_string(f.length) : "");
}

} // namespace

TEST_CASE("framing of requests") {
    struct row {
        std::string start, fields, expected;
    };
    const row table[] = {
        {"GET / HTTP/1.1", "", "none"},
        {"GET / HTTP/1.1", "Content-Length: 0\r\n", "none"},
        {"POST / HTTP/1.1", "Content-Length: 10\r\n", "length 10"},
        {"POST / HTTP/1.1", "Content-Length:10 \t\r\n", "length 10"},
        {"POST / HTTP/1.1", "Content-Length: 9223372036854775807\r\n", "length 9223372036854775807"},
        {"POST / HTTP/1.1", "Content-Length: 9223372036854775808\r\n", "error"},
        {"POST / HTTP/1.1", "Content-Length: 18446744073709551616\r\n", "error"},
        {"POST / HTTP/1.1", "Content-Length: -1\r\n", "error"},
        {"POST / HTTP/1.1", "Content-Length: +1\r\n", "error"},
        {"POST / HTTP/1.1", "Content-Length: 1x\r\n", "error"},
        {"POST / HTTP/1.1", "Content-Length: 0x10\r\n", "error"},
        {"POST / HTTP/1.1", "Content-Length: 1, 1\r\n", "error"},
        {"POST / HTTP/1.1", "Content-Length: 1 1\r\n", "error"},
        {"POST / HTTP/1.1", "Content-Length:\r\n", "error"},
        {"POST / HTTP/1.1", "Transfer-Encoding: chunked\r\n", "chunked"},
        {"POST / HTTP/1.1", "transfer-encoding: CHUNKED\r\n", "chunked"},
        {"POST / HTTP/1.1", "Transfer-Encoding: gzip, chunked\r\n", "error"},
        {"POST / HTTP/1.1", "Transfer-Encoding: identity\r\n", "error"},
        {"POST / HTTP/1.1", "Transfer-Encoding:\r\n", "error"},
        {"POST / HTTP/1.1", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "error"},
        {"POST / HTTP/1.1", "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "error"},
        {"POST / HTTP/1.1", "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "error"},
        {"GET / HTTP/1.0", "", "none"},
        {"POST / HTTP/1.0", "", "error"},
        {"PUT / HTTP/1.0", "", "error"},
        {"POST / HTTP/1.0", "Connection: keep-alive\r\n", "none"},
        {"POST / HTTP/1.0", "Content-Length: 3\r\n", "length 3"},
        {"HEAD / HTTP/1.1", "", "none"},
        {"HEAD / HTTP/1.1", "Content-Length: 0\r\n", "none"},
        {"HEAD / HTTP/1.1", "Content-Length: 1\r\n", "error"},
        {"HEAD / HTTP/1.1", "Transfer-Encoding: chunked\r\n", "error"},
    };
    for (const row& r : table) {
        CAPTURE(r.start, r.fields);
        request m(r.start + "\r\n" + r.fields + "\r\n");
        REQUIRE(m.outcome.ok());
        CHECK(describe(framing_of_request(m.head)) == r.expected);
    }
}

TEST_CASE("framing of responses") {
    struct row {
        std::string method, status, fields, expected;
    };
    const row table[] = {
        {"GET", "200", "", "eof"},
        {"GET", "200", "Connection: keep-alive\r\n", "none"},
        {"GET", "200", "Connection: Keep-Alive, foo\r\n", "eof"},
        {"GET", "200", "Content-Length: 5\r\n", "length 5"},
        {"GET", "200", "Content-Length: 0\r\n", "none"},
        {"GET", "200", "Transfer-Encoding: chunked\r\n", "chunked"},
        {"GET", "200", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "error"},
        {"GET", "200", "Content-Length: 5\r\nContent-Length: 5\r\n", "length 5"},
        {"GET", "200", "Content-Length: 5\r\nContent-Length: 6\r\n", "error"},
        {"HEAD", "200", "Content-Length: 5\r\n", "none"},
        {"HEAD", "200", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "none"},
        {"GET", "100", "", "error"},
        {"GET", "204", "", "none"},
        {"GET", "204", "Content-Length: 0\r\n", "none"},
        {"GET", "204", "Content-Length: 1\r\n", "error"},
        {"GET", "204", "Transfer-Encoding: chunked\r\n", "error"},
        {"GET", "304", "Content-Length: 5\r\n", "none"},
        {"GET", "304", "", "none"},
    };
    for (const row& r : table) {
        CAPTURE(r.method, r.status, r.fields);
        response m("HTTP/1.1 " + r.status + " X\r\n" + r.fields + "\r\n");
        REQUIRE(m.outcome.ok());
        CHECK(describe(framing_of_response(m.head, r.method)) == r.expected);
    }
}

TEST_CASE("repeated fields that make a request bad") {
    CHECK(repeated_field_fault(request(request::get("Host: a\r\nContent-Length: 1\r\n")).head).empty());
    CHECK(repeated_field_fault(request(request::get("Host: a\r\nhost: a\r\n")).head) == "Multiple Host: headers");
    CHECK(repeated_field_fault(request(request::get("Content-Length: 1\r\nContent-Length: 1\r\n")).head) ==
          "Multiple Content-Length: headers");
}

TEST_CASE("what Connection means") {
    struct row {
        std::string version, fields;
        persistence expected;
    };
    const row table[] = {
        {"1.1", "", persistence::keep},
        {"1.0", "", persistence::http10},
        {"1.1", "Connection: close\r\n", persistence::close},
        {"1.1", "Connection: CLOSE\r\n", persistence::close},
        {"1.0", "Connection: keep-alive\r\n", persistence::keep},
        {"1.1", "Connection: foo, close\r\n", persistence::close},
        {"1.1", "Connection: foo\r\nConnection: close\r\n", persistence::close},
        {"1.1", "Connection: closed\r\n", persistence::keep},
        {"1.1", "Connection: Host\r\n", persistence::bad},
        {"1.1", "Connection: close, content-length\r\n", persistence::bad},
        {"1.1", "Connection: X-Forwarded-For\r\n", persistence::bad},
        {"1.1", "Connection: Cookie\r\n", persistence::bad},
        {"1.1", "Connection: TE, Upgrade\r\n", persistence::keep},
        {"1.1", "Connection: ,, ,\r\n", persistence::keep},
    };
    for (const row& r : table) {
        CAPTURE(r.version, r.fields);
        request m("GET / HTTP/" + r.version + "\r\n" + r.fields + "\r\n");
        REQUIRE(m.outcome.ok());
        CHECK(apply_connection(m.head) == r.expected);
    }
}

TEST_CASE("fields named by Connection are marked") {
    request m(request::get("Foo: 1\r\nConnection: foo, keep-alive\r\nBar: 2\r\n"));
    CHECK(apply_connection(m.head) == persistence::keep);
    test::message copy;
    CHECK(copy.head.copy_filtered(m.head, http::filter_use::request_pass));
    CHECK(copy.lines() == std::vector<std::string>{"Bar: 2"});
}
