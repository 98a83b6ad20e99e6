#include "http/h1/chunked.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace clearcoat::http::h1;

namespace {

struct outcome {
    std::string data;
    std::string error;
    std::size_t used = 0;
    bool done = false;
};

/// Feeds `text` in pieces of at most `piece` bytes.
outcome decode(std::string_view text, std::size_t piece) {
    chunk_decoder decoder;
    outcome o;
    while (o.used < text.size() && !decoder.done() && decoder.error().empty()) {
        std::string_view in = text.substr(o.used, piece);
        chunk_decoder::step step = decoder.feed(in);
        o.data += step.data;
        o.used += step.used;
        o.done = step.state == chunk_state::done;
    }
    o.error = decoder.error();
    if (o.error.empty() && !o.done) {
        o.error = decoder.error_at_end();
    }
    return o;
}

} // namespace

TEST_CASE("chunked bodies that are accepted") {
    struct row {
        std::string text, data;
        std::size_t rest; // bytes that belong to the next message
    };
    const row table[] = {
        {"0\r\n\r\n", "", 0},
        {"5\r\nhello\r\n0\r\n\r\n", "hello", 0},
        {"5\nhello\n0\n\n", "hello", 0},
        {"000005\r\nhello\r\n0000\r\n\r\n", "hello", 0},
        {" \t5 \t\r\nhello\r\n 0 \r\n\r\n", "hello", 0},
        {"A\r\n0123456789\r\na\r\nabcdefghij\r\n0\r\n\r\nGET /", "0123456789abcdefghij", 5},
        {"0000000000000000000000000000001\r\nx\r\n0\r\n\r\n", "x", 0},
    };
    for (const row& r : table) {
        for (std::size_t piece : {1, 2, 3, 7, 1000}) {
            CAPTURE(r.text, piece);
            outcome o = decode(r.text, piece);
            CHECK(o.error.empty());
            CHECK(o.done);
            CHECK(o.data == r.data);
            CHECK(o.used == r.text.size() - r.rest);
        }
    }
}

TEST_CASE("chunked bodies that are refused") {
    struct row {
        std::string text, error;
    };
    const row table[] = {
        {"\r\n0\r\n\r\n", "chunked header non-hex"},
        {"-1\r\n", "chunked header non-hex"},
        {"0x5\r\nhello\r\n", "chunked header no NL"},
        {"5;name=value\r\nhello\r\n0\r\n\r\n", "chunked header no NL"},
        {"5\r\r\nhello\r\n", "chunked header no NL"},
        {"5\rhello\r\n", "chunked header no NL"},
        {"5 5\r\nhello", "chunked header no NL"},
        {"5\r\nhello0\r\n\r\n", "chunked tail no NL"},
        {"5\r\nhello!\r\n0\r\n\r\n", "chunked tail no NL"},
        {"5\r\nhello\r\r\n0\r\n\r\n", "chunked tail no NL"},
        {"5\r\nhello\r\n\r\n0\r\n\r\n", "chunked header non-hex"},
        {"0\r\nTrailer: x\r\n\r\n", "chunked tail no NL"},
        {"8000000000000000\r\n", "bogusly large chunk size"},
        {"ffffffffffffffff\r\n", "bogusly large chunk size"},
        {"1ffffffffffffffff\r\n", "bogusly large chunk size"},
        {"10000000000000000\r\n", "bogusly large chunk size"},
        {"1234567890123456789\r\n", "bogusly large chunk size"},
        {"12345678901234567890\r\n", "chunked header too long"},
        {"", "chunked read err"},
        {"5", "chunked read err"},
        {"5\r\nhell", "chunked insufficient bytes"},
        {"5\r\nhello", "chunked read err"},
        {"5\r\nhello\r\n0\r\n", "chunked read err"},
    };
    for (const row& r : table) {
        for (std::size_t piece : {1, 3, 1000}) {
            CAPTURE(r.text, piece);
            outcome o = decode(r.text, piece);
            CHECK_FALSE(o.done);
            CHECK(o.error == r.error);
        }
    }
    CHECK(decode("7fffffffffffffff\r\n", 100).error == "chunked insufficient bytes");
}

TEST_CASE("data can be received past the decoder") {
    chunk_decoder decoder;
    chunk_decoder::step step = decoder.feed("a\r\nabc");
    CHECK(step.data == "abc");
    CHECK(decoder.expected_data() == 7);
    decoder.skip_data(7);
    CHECK(decoder.expected_data() == 0);
    step = decoder.feed("\r\n0\r\n\r\n");
    CHECK(step.state == chunk_state::done);
    CHECK(step.data.empty());
}

TEST_CASE("chunk heads") {
    char room[chunk_head_size];
    CHECK(chunk_head(1, room) == "1\r\n");
    CHECK(chunk_head(0x1000, room) == "1000\r\n");
    CHECK(chunk_head(0xfedcba9876543210, room) == "fedcba9876543210\r\n");
}
