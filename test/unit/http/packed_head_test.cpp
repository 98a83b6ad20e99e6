#include "http/packed_head.hpp"

#include "http/h1/format.hpp"
#include "unit/http/message.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using http::field_id;
using http::packed_head_view;
using test::message;
using test::recorder;
using test::response;
using lines = std::vector<std::string>;

namespace {

std::vector<std::byte> pack(const http::head& h, http::filter_use use = http::filter_use::response_insert) {
    std::vector<std::byte> block(http::packed_size(h, use));
    http::pack(h, use, block);
    return block;
}

std::string format(const http::head& h) {
    std::string text(http::h1::response_size(h), '\0');
    CHECK(http::h1::format_response(h, text) == text.size());
    return text;
}

} // namespace

TEST_CASE("a head comes back from its packed form") {
    response from(response::ok("Server: x\r\nAge: 5\r\nConnection: close\r\nContent-Range: bytes 0-1/2\r\nEmpty:\r\n"
                               "ETag: \"a\"\r\n"));
    std::vector<std::byte> block = pack(from.head);
    packed_head_view view(block);
    CHECK(view.status() == 200);
    CHECK(view.field_count() == 3);
    CHECK(view.protocol() == "HTTP/1.1");
    CHECK(view.reason() == "OK");
    CHECK(view.get(field_id::server) == "x");
    CHECK(view.get("etag") == "\"a\"");
    CHECK(view.has("empty"));
    CHECK_FALSE(view.has(field_id::age));
    CHECK(view.at(2).text() == "ETag: \"a\"");
    message to;
    CHECK(view.decode(to.head));
    CHECK(to.lines() == lines{"Server: x", "Empty:", "ETag: \"a\""});
    CHECK(to.head.version() == 11);
    CHECK(format(to.head) == "HTTP/1.1 200 OK\r\nServer: x\r\nEmpty:\r\nETag: \"a\"\r\n\r\n");
}

TEST_CASE("the block may lie at any address") {
    response from(response::ok("A: b\r\nC: d\r\n"));
    std::vector<std::byte> block = pack(from.head);
    for (std::size_t shift = 0; shift < 8; ++shift) {
        std::vector<std::byte> shifted(shift);
        shifted.insert(shifted.end(), block.begin(), block.end());
        message to;
        CHECK(packed_head_view(std::span(shifted).subspan(shift)).decode(to.head));
        CHECK(to.lines() == lines{"A: b", "C: d"});
    }
}

TEST_CASE("a head without fields") {
    response from("HTTP/1.0 404\r\n\r\n");
    std::vector<std::byte> block = pack(from.head);
    message to;
    CHECK(packed_head_view(block).decode(to.head));
    CHECK(to.lines().empty());
    CHECK(format(to.head) == "HTTP/1.0 404 Not Found\r\n\r\n");
}

TEST_CASE("too many fields for the task's head") {
    response from(response::ok("A: b\r\nC: d\r\n"));
    std::vector<std::byte> block = pack(from.head);
    message to;
    to.head.reset(to.memory, http::head::start_line_slots + 1);
    CHECK_FALSE(packed_head_view(block).decode(to.head));
}

TEST_CASE("decoded and added fields are sent together") {
    response from(response::ok("A: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\n"));
    std::vector<std::byte> block = pack(from.head);
    message to;
    CHECK(packed_head_view(block).decode(to.head));
    to.head.unset("B");
    to.head.add("E", "5");
    to.head.set_status(1206);
    CHECK(format(to.head) == "HTTP/1.1 206 Partial Content\r\nA: 1\r\nC: 3\r\nD: 4\r\nE: 5\r\n\r\n");
    std::string small(format(to.head).size() - 1, '\0');
    CHECK(http::h1::format_response(to.head, small) == 0);
}

TEST_CASE("a 304 takes over what the object had") {
    response old(response::ok("Server: old\r\nX-Kept: 1\r\nx-kept: 2\r\nETag: \"a\"\r\n"));
    std::vector<std::byte> block = pack(old.head);
    response fresh("HTTP/1.1 304 Not Modified\r\nServer: new\r\n\r\n");
    recorder heard;
    fresh.head.set_listener(&heard);
    CHECK(packed_head_view(block).merge_into(fresh.head));
    CHECK(fresh.head.status() == 200);
    CHECK(fresh.lines() == lines{"Server: new", "X-Kept: 1", "x-kept: 2", "ETag: \"a\""});
    CHECK(heard.heard == lines{"protocol HTTP/1.1", "status 200", "reason OK", "field X-Kept: 1", "field x-kept: 2",
                               "field ETag: \"a\""});
}

TEST_CASE("requests are formatted as they were dissected") {
    test::request r("GET /a HTTP/1.1\r\nHost: x\r\nA:b  \nC: d\r\n\r\n");
    std::string text(http::h1::request_size(r.head), '\0');
    CHECK(http::h1::format_request(r.head, text) == text.size());
    CHECK(text == "GET /a HTTP/1.1\r\nHost: x\r\nA:b\r\nC: d\r\n\r\n");
}

TEST_CASE("minimal responses") {
    char room[80];
    CHECK(std::string_view(room, http::h1::format_minimal_response(400, room)) == "HTTP/1.1 400 Bad Request\r\n\r\n");
    CHECK(std::string_view(room, http::h1::format_minimal_response(100, room)) == "HTTP/1.1 100 Continue\r\n\r\n");
    CHECK(http::h1::format_minimal_response(400, std::span(room).first(27)) == 0);
}
