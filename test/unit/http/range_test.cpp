#include "http/range.hpp"

#include "unit/http/message.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::http;
using test::request;
using test::response;

TEST_CASE("range fields") {
    struct row {
        const char* text;
        std::int64_t low, high;
        const char* error;
    };
    const row table[] = {
        {"bytes=0-9", 0, 9, ""},
        {"BYTES=5-", 5, -1, ""},
        {"bytes=-5", -1, 5, ""},
        {"bytes=0-0", 0, 0, ""},
        {"bytes=0-9 ", 0, 9, ""},
        {"bytes", -1, -1, "Missing '='"},
        {"items=0-9", -1, -1, "Not Bytes"},
        {"byte=0-9", -1, -1, "Not Bytes"},
        {"=0-9", -1, -1, "Not Bytes"},
        {"bytes=99999999999999999999-", -1, -1, "Low number too big"},
        {"bytes=0-99999999999999999999", -1, -1, "High number too big"},
        {"bytes=0", -1, -1, "Missing hyphen"},
        {"bytes=", -1, -1, "Missing hyphen"},
        {"bytes=-", -1, -1, "Neither high nor low"},
        {"bytes=-0", -1, -1, "No low, high is zero"},
        {"bytes=9-8", -1, -1, "high smaller than low"},
        {"bytes=0-1,4-5", -1, -1, "Trailing stuff"},
        {"bytes=0-1x", -1, -1, "Trailing stuff"},
    };
    for (const row& r : table) {
        CAPTURE(r.text);
        byte_range range = parse_range(r.text);
        CHECK(range.error == r.error);
        if (range.error.empty()) {
            CHECK(range.low == r.low);
            CHECK(range.high == r.high);
        }
    }
}

TEST_CASE("what a range request gets") {
    using action = range_decision::action;
    struct row {
        const char* text;
        std::uint64_t length;
        action what;
        std::uint64_t low, high;
    };
    const row table[] = {
        {"bytes=0-9", 100, action::partial, 0, 9},        {"bytes=90-", 100, action::partial, 90, 99},
        {"bytes=90-1000", 100, action::partial, 90, 99},  {"bytes=-10", 100, action::partial, 90, 99},
        {"bytes=-1000", 100, action::partial, 0, 99},     {"bytes=99-99", 100, action::partial, 99, 99},
        {"bytes=100-", 100, action::unsatisfiable, 0, 0}, {"bytes=0-", 0, action::unsatisfiable, 0, 0},
        {"bytes=9-8", 100, action::unsatisfiable, 0, 0},
    };
    for (const row& r : table) {
        CAPTURE(r.text, r.length);
        range_decision d = decide_range(r.text, r.length);
        CHECK(d.what == r.what);
        CHECK(d.low == r.low);
        CHECK(d.high == r.high);
        CHECK(d.error.empty() == (r.what != action::unsatisfiable));
    }
    CHECK(decide_range("bytes=0-9", std::nullopt).what == action::whole);
    CHECK(decide_range("bytes=9-8", std::nullopt).what == action::unsatisfiable);
    CHECK(decide_range("bytes=100-", 100).error == "low range beyond object");
}

TEST_CASE("If-Range") {
    const std::string dated =
        "ETag: \"a\"\r\nDate: Sun, 06 Nov 1994 09:49:37 GMT\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
    struct row {
        std::string asked, answer;
        bool allowed;
    };
    const row table[] = {
        {"", dated, true},
        {"If-Range: \"a\"\r\n", dated, true},
        {"If-Range: \"b\"\r\n", dated, false},
        {"If-Range: W/\"a\"\r\n", dated, false},
        {"If-Range: \"a\"\r\n", "ETag: W/\"a\"\r\n", false},
        {"If-Range: \"a\"\r\n", "", false},
        {"If-Range: Sun, 06 Nov 1994 08:49:37 GMT\r\n", dated, true},
        {"If-Range: Sun, 06 Nov 1994 08:49:38 GMT\r\n", dated, false},
        {"If-Range: Sun, 06 Nov 1994 08:49:37 GMT\r\n", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n", false},
        {"If-Range: junk\r\n", dated, false},
    };
    for (const row& r : table) {
        CAPTURE(r.asked, r.answer);
        CHECK(if_range_allows(request(request::get(r.asked)).head, response(response::ok(r.answer)).head) == r.allowed);
    }
}

TEST_CASE("content ranges") {
    using state = content_range::state;
    struct row {
        const char* text;
        state what;
        std::int64_t low, high, total;
    };
    const row table[] = {
        {"bytes 0-9/100", state::valid, 0, 9, 100},  {"bytes */100", state::valid, -1, -1, 100},
        {"bytes 0-9/*", state::valid, 0, 9, -1},     {"items 0-9/100", state::absent, -1, -1, -1},
        {"bytes=0-9/100", state::bad, -1, -1, -1},   {"bytes 0-9", state::bad, -1, -1, -1},
        {"bytes 9-0/100", state::bad, -1, -1, -1},   {"bytes 0-100/100", state::bad, -1, -1, -1},
        {"bytes 0-9/100 x", state::bad, -1, -1, -1}, {"bytes x-9/100", state::bad, -1, -1, -1},
        {"bytes 0-x/100", state::bad, -1, -1, -1},   {"bytes */0", state::bad, -1, -1, -1},
        {"bytes 0-0/", state::bad, -1, -1, -1},
    };
    for (const row& r : table) {
        CAPTURE(r.text);
        content_range range =
            parse_content_range(response(response::ok("Content-Range: " + std::string(r.text) + "\r\n")).head);
        CHECK(range.what == r.what);
        CHECK(range.low == r.low);
        CHECK(range.high == r.high);
        CHECK(range.total == r.total);
    }
}

TEST_CASE("a backend's partial answer must fit the request") {
    struct row {
        std::string asked, answer, error;
    };
    const row table[] = {
        {"", "", ""},
        {"Range: bytes=0-9\r\n", "", ""},
        {"Range: bytes=0-9\r\n", "Content-Range: bytes 0-9/100\r\nContent-Length: 10\r\n", ""},
        {"Range: bytes=0-9\r\n", "Content-Range: bytes 0-4/5\r\n", ""},
        {"Range: bytes=-5\r\n", "Content-Range: bytes 95-99/100\r\n", ""},
        {"Range: junk\r\n", "Content-Range: bytes 0-9/100\r\n", "Invalid range header (Missing '=')"},
        {"Range: bytes=0-9\r\n", "Content-Range: bytes\r\n", "Invalid content-range header"},
        {"Range: bytes=0-9\r\n", "Content-Range: bytes 0-9/100\r\nContent-Length: x\r\n",
         "Invalid content-length header"},
        {"", "Content-Range: bytes 0-9/100\r\n", "Unexpected content-range header"},
        {"Range: bytes=0-9\r\n", "Content-Range: bytes 0-9/100\r\nContent-Length: 11\r\n",
         "Expected content length 10, got 11"},
        {"Range: bytes=0-9\r\n", "Content-Range: bytes 1-9/100\r\n", "Expected low range 1, got 0"},
        {"Range: bytes=0-9\r\n", "Content-Range: bytes 0-10/100\r\n", "Expected minimum high range 10, got 9"},
        {"Range: bytes=0-9\r\n", "Content-Range: bytes */5\r\n", ""},
        {"Range: bytes=0-3\r\n", "Content-Range: bytes */5\r\n", "Expected minimum high range 4, got 3"},
    };
    for (const row& r : table) {
        CAPTURE(r.asked, r.answer);
        char room[100];
        CHECK(check_partial_response(request(request::get(r.asked)).head, response(response::ok(r.answer)).head,
                                     room) == r.error);
    }
}
