#include "http/vary.hpp"

#include "unit/http/message.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::http;
using test::request;
using test::response;

namespace {

/// Whether an object made for `first` answers `second` too.
bool same(const std::string& vary, const std::string& first, const std::string& second, bool gzip = false) {
    request asked(request::get(first));
    response answer(response::ok("Vary: " + vary + "\r\n"));
    vary_built built = build_vary(answer.head, asked.head, answer.memory);
    REQUIRE(built.error.empty());
    return vary_matches(built.spec, request(request::get(second)).head, gzip);
}

} // namespace

TEST_CASE("requests that select the same variant") {
    CHECK(same("Foo", "Foo: 1\r\n", "foo: 1\r\n"));
    CHECK(same("Foo", "Foo: 1\r\n", "Foo:   1  \r\n"));
    CHECK(same("Foo, Bar", "Foo: 1\r\n", "Foo: 1\r\nOther: 2\r\n"));
    CHECK(same("*", "", "Foo: 1\r\n"));
    CHECK(same("Accept-Encoding", "Accept-Encoding: gzip\r\n", "Accept-Encoding: br\r\n", true));
    CHECK(same(" , foo ,,", "", ""));
}

TEST_CASE("requests that select another variant") {
    CHECK_FALSE(same("Foo", "Foo: 1\r\n", "Foo: 2\r\n"));
    CHECK_FALSE(same("Foo", "Foo: 1\r\n", ""));
    CHECK_FALSE(same("Foo", "", "Foo: 1\r\n"));
    CHECK_FALSE(same("Foo", "", "Foo:\r\n"));
    CHECK_FALSE(same("Bar, Foo", "Foo: 1\r\nBar: 1\r\n", "Foo: 2\r\nBar: 1\r\n"));
    CHECK_FALSE(same("Accept-Encoding", "Accept-Encoding: gzip\r\n", "Accept-Encoding: br\r\n"));
    CHECK_FALSE(same("Accept-Encoding, Foo", "Foo: 1\r\n", "Foo: 2\r\n", true));
}

TEST_CASE("no specification") {
    request asked(request::get(""));
    response plain(response::ok(""));
    CHECK(build_vary(plain.head, asked.head, plain.memory).spec.empty());
    CHECK(vary_matches({}, asked.head, true));
}

TEST_CASE("Vary fields that are refused") {
    struct row {
        std::string vary, error;
    };
    const row table[] = {
        {"Foo Bar", "Malformed Vary header"},
        {std::string(128, 'a'), "Vary header name length exceeded"},
    };
    request asked(request::get(""));
    for (const row& r : table) {
        response answer(response::ok("Vary: " + r.vary + "\r\n"));
        CHECK(build_vary(answer.head, asked.head, answer.memory).error == r.error);
    }
    request huge(request::get("Foo: " + std::string(65535, 'x') + "\r\n"), 100000);
    response answer(response::ok("Vary: Foo\r\n"));
    CHECK(build_vary(answer.head, huge.head, answer.memory).error == "Vary header maximum length exceeded");
}
