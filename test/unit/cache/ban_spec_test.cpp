#include "cache/ban_spec.hpp"

#include "fixture.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::test;
using cache::ban_spec;

namespace {

ban_spec spec_of(std::string_view text, double time = 100) {
    auto made = ban_spec::parse_text(text);
    INFO(made.error);
    REQUIRE(made.tests);
    return {time, std::move(*made.tests)};
}

std::string error_of(std::string_view text) {
    auto made = ban_spec::parse_text(text);
    CHECK_FALSE(made.tests);
    return made.error;
}

std::string error_of_words(std::vector<std::string_view> words) {
    return ban_spec::parse_words(words).error;
}

} // namespace

TEST_CASE("wrong bans are refused in the words users know", "[ban_spec]") {
    CHECK(error_of("") == "No ban conditions found.");
    CHECK(error_of("req.url") == "Expected comparison operator.");
    CHECK(error_of("req.url ~") == "Expected second operand.");
    CHECK(error_of("req.url ~ foo bar obj.ttl > 1s") == "Expected && between conditions, found \"bar\"");
    CHECK(error_of("req.url ~ foo &&") == "No ban conditions found.");
    CHECK(error_of("xyz ~ foo") == "Unknown or unsupported field \"xyz\"");
    CHECK(error_of("req.url > foo") == "expected conditional (==, !=, ~ or !~) got \">\"");
    CHECK(error_of("obj.ttl ~ 5s") == "expected conditional (==, !=, >, >=, < or <=) got \"~\"");
    CHECK(error_of("obj.age > 5") == "expected duration <n.nn>[ms|s|m|h|d|w|y] got \"5\"");
    CHECK(error_of("req.url ~ (").starts_with("Regex compile error: "));
    CHECK(error_of_words({"req.url", "~"}) == "Wrong number of arguments");
    CHECK(error_of_words({"a", "b", "c", "or", "d", "e", "f"}) == "Found \"or\" expected &&");
}

TEST_CASE("a ban shows as it was given, durations normalised", "[ban_spec]") {
    CHECK(spec_of("req.url ~ ^/foo && obj.http.x-tag == 12").text() == "req.url ~ ^/foo && obj.http.x-tag == 12");
    CHECK(spec_of("obj.ttl >= 120s && obj.age < 1.5s").text() == "obj.ttl >= 2m && obj.age < 1.500s");
    CHECK(spec_of("req.http.a == \"q\\").text(true) == "req.http.a == \\\"q\\\\");
    CHECK(cache::render_duration(0) == "0s");
    CHECK(cache::render_duration(0.25) == "250ms");
    CHECK(cache::render_duration(59) == "59s");
    CHECK(cache::render_duration(7200) == "2h");
    CHECK(cache::render_duration(86400) == "1d");
    CHECK(cache::render_duration(604800) == "1w");
    CHECK(cache::render_duration(31536000) == "1y");
}

TEST_CASE("all tests of a ban must hold", "[ban_spec]") {
    cache_fixture f;
    auto o = f.store(key_of("/"), 50, 100, "b", "404\nX-Tag: red\n", {}, 10, 20);
    const text_subject subject("/foo/bar", {{"host", "example.com"}});
    const auto matches = [&](std::string_view text) {
        std::uint64_t tested = 0;
        return spec_of(text).matches(*o, f.reader, &subject, tested);
    };
    CHECK(matches("req.url ~ ^/foo"));
    CHECK_FALSE(matches("req.url ~ ^/bar"));
    CHECK(matches("req.url !~ ^/bar"));
    CHECK(matches("req.url == /foo/bar"));
    CHECK(matches("req.http.host == example.com && obj.status == 404"));
    CHECK_FALSE(matches("req.http.host == example.com && obj.status == 200"));
    CHECK(matches("obj.http.X-Tag != blue"));
    CHECK_FALSE(matches("obj.http.None ~ ."));
    CHECK_FALSE(matches("obj.http.None !~ ."));
    CHECK(matches("obj.http.None != x"));
    CHECK_FALSE(matches("obj.http.None == x"));
    // Made at 100: the object of 50 is 50 seconds old and has 50 to live.
    CHECK(matches("obj.age > 49s"));
    CHECK_FALSE(matches("obj.age > 51s"));
    CHECK(matches("obj.ttl < 51s"));
    CHECK_FALSE(matches("obj.ttl < 49s"));
    CHECK(matches("obj.grace == 10s && obj.keep != 10s"));
    CHECK(matches("obj.keep >= 20s && obj.keep <= 20s"));
}

TEST_CASE("a ban may look at when an object was last used", "[ban_spec]") {
    cache_fixture f;
    auto o = f.store(key_of("/"), 50, 100);
    const double used = o->last_lru();
    REQUIRE(used != 0);
    const auto matches = [](const cache::object& tried, const cache::object_reader& reader, std::string_view text,
                            double banned_at) {
        std::uint64_t tested = 0;
        return spec_of(text, banned_at).matches(tried, reader, nullptr, tested);
    };
    CHECK(matches(*o, f.reader, "obj.last_hit > 10s", used + 11));
    CHECK_FALSE(matches(*o, f.reader, "obj.last_hit > 10s", used + 9));
    CHECK(matches(*o, f.reader, "obj.last_hit <= 10s", used + 9));
    CHECK(matches(*o, f.reader, "obj.last_hit != 10s", used + 9));
    // Of an object in no LRU list nothing is known.
    const cache::object_ref busy = f.lookup(key_of("/busy"), 50).busy;
    REQUIRE(busy);
    CHECK_FALSE(matches(*busy, f.reader, "obj.last_hit > 10s", used + 11));
    CHECK_FALSE(matches(*busy, f.reader, "obj.last_hit <= 10s", used + 11));
    f.index.abandon(*busy);
    const ban_spec spec = spec_of("obj.last_hit > 3d");
    CHECK(spec.looks_at_object());
    CHECK_FALSE(spec.looks_at_request());
    CHECK_FALSE(spec.can_be_duplicate());
    CHECK(spec.text() == "obj.last_hit > 3d");
    CHECK(ban_spec::deserialise(spec.serialise())->spec.same_tests(spec));
    CHECK(error_of("obj.last_hit ~ 3d") == "expected conditional (==, !=, >, >=, < or <=) got \"~\"");
}

TEST_CASE("what a ban looks at, and when two are the same", "[ban_spec]") {
    CHECK(spec_of("req.url ~ a").looks_at_request());
    CHECK_FALSE(spec_of("req.url ~ a").looks_at_object());
    CHECK(spec_of("obj.http.a ~ a").looks_at_object());
    CHECK_FALSE(spec_of("obj.status == 200").looks_at_request());
    CHECK(spec_of("req.url ~ a").same_tests(spec_of("req.url ~ a", 5)));
    CHECK_FALSE(spec_of("req.url ~ a").same_tests(spec_of("req.url !~ a")));
    CHECK_FALSE(spec_of("obj.http.a ~ a").same_tests(spec_of("obj.http.b ~ a")));
    CHECK(spec_of("obj.grace > 1m").same_tests(spec_of("obj.grace > 60s")));
    CHECK(spec_of("obj.grace > 1m").can_be_duplicate());
    CHECK_FALSE(spec_of("obj.ttl > 1m").can_be_duplicate());
    CHECK_FALSE(spec_of("obj.age > 1m").can_be_duplicate());
}

TEST_CASE("a ban survives being written down", "[ban_spec]") {
    const ban_spec spec = spec_of("req.url ~ ^/x && obj.http.tag != y && obj.age > 90s", 1234.5);
    const std::string bytes = spec.serialise();
    CHECK(bytes.size() == spec.serialised_size());
    auto back = ban_spec::deserialise(bytes + "more");
    REQUIRE(back);
    CHECK(back->size == bytes.size());
    CHECK_FALSE(back->completed);
    CHECK(back->spec.time() == 1234.5);
    CHECK(back->spec.same_tests(spec));
    CHECK(back->spec.text() == spec.text());
    CHECK(spec.serialise(true).size() == 16);
    CHECK(ban_spec::deserialise(spec.serialise(true))->completed);
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        CHECK_FALSE(ban_spec::deserialise(std::string_view(bytes).substr(0, cut)));
    }
    std::string broken = bytes;
    broken[16] = 99;
    CHECK_FALSE(ban_spec::deserialise(broken));
}

TEST_CASE("the written form does not change", "[ban_spec]") {
    const std::string bytes = spec_of("obj.http.a == b", 1.0).serialise();
    const char expected[] = "\x3f\xf0\0\0\0\0\0\0"
                            "\0\0\0\x1a"
                            "\x02\0\0\0"
                            "\x03\x00"
                            "\0\x01"
                            "a"
                            "\0\0\0\x01"
                            "b";
    CHECK(bytes == std::string(expected, sizeof expected - 1));
}
