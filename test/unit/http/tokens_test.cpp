#include "http/tokens.hpp"

#include "http/status.hpp"
#include "unit/http/message.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::http;
using test::request;

TEST_CASE("lists are split") {
    std::string_view rest = " , a b ,c;d,, e ";
    CHECK(next_element(rest, ",") == "a b");
    CHECK(next_element(rest, ",") == "c;d");
    CHECK(next_element(rest, ",") == "e");
    CHECK(next_element(rest, ",").data() == nullptr);
    CHECK(next_element(rest, ",").data() == nullptr);
}

TEST_CASE("tokens are found") {
    CHECK(find_token("a, b;q=1", "B") == ";q=1");
    CHECK(find_token("a, b = 2 , c", "b") == "= 2");
    CHECK(find_token("ab, a", "a") == "");
    CHECK(find_token("\"A\"", "A") == "");
    CHECK_FALSE(find_token("\"a\"", "A"));
    CHECK_FALSE(find_token("", "a"));
    CHECK_FALSE(find_token("a-b", "a"));
}

TEST_CASE("directives have values or not") {
    request m(request::get("Cache-Control: no-cache, max-age = 10, x=\"y\"\r\n"));
    CHECK(find_directive(m.head, field_id::cache_control, "max-age") == "10");
    CHECK(find_directive(m.head, field_id::cache_control, "x") == "\"y\"");
    CHECK(find_directive(m.head, field_id::cache_control, "no-cache")->data() == nullptr);
    CHECK_FALSE(find_directive(m.head, field_id::cache_control, "no-store"));
    CHECK_FALSE(find_directive(m.head, field_id::pragma, "no-cache"));
}

TEST_CASE("reason phrases") {
    CHECK(reason_phrase(200) == "OK");
    CHECK(reason_phrase(1503) == "Service Unavailable");
    CHECK(reason_phrase(511) == "Network Authentication Required");
    CHECK(reason_phrase(999) == "Unknown HTTP Status");
    CHECK(status_digits(1404) == "404");
    CHECK(status_digits(100) == "100");
}
