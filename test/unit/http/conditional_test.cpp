#include "http/conditional.hpp"

#include "unit/http/message.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::http;
using test::recorder;
using test::request;
using test::response;

namespace {
constexpr double noon = 784123200; // Sun, 06 Nov 1994 12:00:00 GMT
}

TEST_CASE("when 304 is the answer") {
    struct row {
        std::string asked, answer;
        bool expected;
    };
    const row table[] = {
        {"", "ETag: \"a\"\r\n", false},
        {"If-None-Match: \"a\"\r\n", "ETag: \"a\"\r\n", true},
        {"If-None-Match: \"b\"\r\n", "ETag: \"a\"\r\n", false},
        {"If-None-Match: \"a\"\r\n", "", false},
        {"If-None-Match: W/\"a\"\r\n", "ETag: \"a\"\r\n", true},
        {"If-None-Match: \"a\"\r\n", "ETag: W/\"a\"\r\n", true},
        {"If-None-Match: \"a\"\r\nRange: bytes=0-\r\n", "ETag: \"a\"\r\n", true},
        {"If-None-Match: \"a\"\r\nRange: bytes=0-\r\n", "ETag: W/\"a\"\r\n", false},
        {"If-None-Match: \"b\"\r\nIf-Modified-Since: Sun, 06 Nov 1994 08:00:00 GMT\r\n",
         "ETag: \"a\"\r\nLast-Modified: Sun, 06 Nov 1994 07:00:00 GMT\r\n", false},
        {"If-Modified-Since: Sun, 06 Nov 1994 08:00:00 GMT\r\n", "Last-Modified: Sun, 06 Nov 1994 08:00:00 GMT\r\n",
         true},
        {"If-Modified-Since: Sun, 06 Nov 1994 08:00:00 GMT\r\n", "Last-Modified: Sun, 06 Nov 1994 08:00:01 GMT\r\n",
         false},
        {"If-Modified-Since: Sun, 06 Nov 1994 12:00:01 GMT\r\n", "Last-Modified: Sun, 06 Nov 1994 08:00:01 GMT\r\n",
         false},
        {"If-Modified-Since: junk\r\n", "Last-Modified: Sun, 06 Nov 1994 08:00:01 GMT\r\n", false},
        {"If-Modified-Since: Sun, 06 Nov 1994 08:00:00 GMT\r\n", "Last-Modified: junk\r\n", false},
        {"If-Modified-Since: Sun, 06 Nov 1994 11:59:00 GMT\r\n", "", true},
        {"If-Modified-Since: Sun, 06 Nov 1994 08:00:00 GMT\r\n", "", false},
    };
    for (const row& r : table) {
        CAPTURE(r.asked, r.answer);
        request asked(request::get(r.asked));
        CHECK(answers_not_modified(asked.head, response(response::ok(r.answer)).head, noon, noon - 60) == r.expected);
        CHECK_FALSE(
            answers_not_modified(asked.head, response("HTTP/1.1 404 x\r\n" + r.answer + "\r\n").head, noon, noon - 60));
    }
}

TEST_CASE("entity tags are weakened once") {
    response m(response::ok("ETag: \"a\"\r\nFoo: 1\r\n"));
    recorder heard;
    m.head.set_listener(&heard);
    CHECK(weaken_etag(m.head));
    CHECK(weaken_etag(m.head));
    CHECK(m.head.get(field_id::etag) == "W/\"a\"");
    CHECK(heard.heard == std::vector<std::string>{"unset ETag: \"a\"", "field ETag: W/\"a\""});
    response none(response::ok(""));
    CHECK(weaken_etag(none.head));
    CHECK(none.lines().empty());
}

TEST_CASE("Vary names Accept-Encoding") {
    struct row {
        std::string fields, vary;
    };
    const row table[] = {
        {"", "Accept-Encoding"},
        {"Vary: Foo\r\n", "Foo, Accept-Encoding"},
        {"Vary: foo, accept-encoding\r\n", "foo, accept-encoding"},
        {"Vary: Accept-Encoding-X\r\n", "Accept-Encoding-X, Accept-Encoding"},
    };
    for (const row& r : table) {
        CAPTURE(r.fields);
        response m(response::ok(r.fields));
        CHECK(vary_on_accept_encoding(m.head));
        CHECK(m.head.get(field_id::vary) == r.vary);
        CHECK(m.head.count(field_id::vary) == 1);
    }
}

TEST_CASE("who takes gzip") {
    struct row {
        const char* value;
        bool expected;
    };
    const row table[] = {
        {"gzip", true},
        {"GZIP", true},
        {"x-gzip", true},
        {"x-gzip;q=0", true},
        {"deflate, gzip", true},
        {"gzip;q=0", false},
        {"gzip;q=0.0", false},
        {"gzip;q=0.1", true},
        {"gzip; q = .5", true},
        {"gzip;q=x", false},
        {"gzipped", false},
        {"br", false},
        {"", false},
        {"*", false},
        {"gzip;foo=1;q=0", false},
        {"gzip;foo=1;q=1", true},
        {"br;q=0, gzip", true},
        {"gzip;q", true},
        {"gzip, gzip;q=0", true},
        {"\"gzip\"", true},
    };
    for (const row& r : table) {
        CAPTURE(r.value);
        CHECK(accepts_gzip(request(request::get("Accept-Encoding: " + std::string(r.value) + "\r\n")).head) ==
              r.expected);
    }
    CHECK_FALSE(accepts_gzip(request(request::get("")).head));
}

TEST_CASE("strong Last-Modified") {
    CHECK(has_strong_last_modified(response(response::ok("Date: Sun, 06 Nov 1994 08:00:01 GMT\r\n"
                                                         "Last-Modified: Sun, 06 Nov 1994 08:00:00 GMT\r\n"))
                                       .head));
    CHECK_FALSE(has_strong_last_modified(response(response::ok("Date: Sun, 06 Nov 1994 08:00:00 GMT\r\n"
                                                               "Last-Modified: Sun, 06 Nov 1994 08:00:00 GMT\r\n"))
                                             .head));
    CHECK_FALSE(
        has_strong_last_modified(response(response::ok("Last-Modified: Sun, 06 Nov 1994 08:00:00 GMT\r\n")).head));
}
