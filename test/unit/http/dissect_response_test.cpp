#include "unit/http/message.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using http::h1::fault;
using test::response;

TEST_CASE("responses that are accepted") {
    struct row {
        std::string line;
        std::string protocol;
        unsigned status;
        std::string reason;
    };
    const row table[] = {
        {"HTTP/1.1 200 OK", "HTTP/1.1", 200, "OK"},
        {"HTTP/1.0 404 Gone fishing", "HTTP/1.0", 404, "Gone fishing"},
        {"HTTP/1.1 404", "HTTP/1.1", 404, "Not Found"},
        {"HTTP/1.1 404 ", "HTTP/1.1", 404, "Not Found"},
        {"HTTP/1.1   999   Odd\tone", "HTTP/1.1", 999, "Odd\tone"},
        {"HTTP/1.1 799", "HTTP/1.1", 799, "Unknown HTTP Status"},
        {"HTTP/2.0 200 OK", "HTTP/1.1", 200, "OK"},
        {"http/1.1 200 OK ", "http/1.1", 200, "OK "},
    };
    for (const row& r : table) {
        CAPTURE(r.line);
        response m(r.line + "\r\nA: b\r\n\r\n");
        CHECK(m.outcome.ok());
        CHECK(m.head.protocol() == r.protocol);
        CHECK(m.head.status() == r.status);
        CHECK(m.head.reason() == r.reason);
        CHECK(m.lines() == std::vector<std::string>{"A: b"});
    }
}

TEST_CASE("a response is not newer than its request") {
    test::message m;
    std::string text = "HTTP/1.1 200 OK\r\n\r\n";
    CHECK(http::h1::dissect_response(text, m.head, 100, 10).ok());
    CHECK(m.head.protocol() == "HTTP/1.0");
    CHECK(m.head.version() == 10);
}

TEST_CASE("responses that are refused") {
    struct row {
        std::string line;
        fault why;
    };
    const row table[] = {
        {"FOO 200 OK", fault::bad_protocol},           {"HTTP/0.9 200 OK", fault::bad_protocol},
        {"HTTP/1.1", fault::bad_start_line},           {"HTTP/1.1 20 OK", fault::bad_status},
        {"HTTP/1.1 2000 OK", fault::bad_status},       {"HTTP/1.1 020 OK", fault::bad_status},
        {"HTTP/1.1 2x0 OK", fault::bad_status},        {"HTTP/1.1 200 O\x01K", fault::bad_start_line},
        {"HTTP/1.1\t\t200 OK", fault::bad_start_line},
    };
    for (const row& r : table) {
        CAPTURE(r.line);
        CHECK(response(r.line + "\r\n\r\n").outcome.why == r.why);
    }
    CHECK(response("HTTP/1.1 200 OK\r\nA b\r\n\r\n").outcome.why == fault::bad_name_character);
}
