#include "base/regex.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat::base;

TEST_CASE("a regex matches and captures") {
    regex::compile_error error;
    auto re = regex::compile("^/(\\w+)/(x)?", false, error);
    REQUIRE(re);
    regex_groups groups;
    CHECK(re->match("/shop/", &groups) == regex_verdict::match);
    CHECK(groups.group[1] == "shop");
    CHECK(groups.group[2].data() == nullptr);
    CHECK(re->match("shop") == regex_verdict::no_match);
    CHECK(re->match({}) == regex_verdict::no_match);
    CHECK(regex::compile("SHOP", true, error)->match("a shop") == regex_verdict::match);
}

TEST_CASE("a wrong pattern tells where") {
    regex::compile_error error;
    CHECK_FALSE(regex::compile("a(b", false, error));
    CHECK(error.offset == 3);
    CHECK_FALSE(error.message.empty());
}

TEST_CASE("a match that exceeds its limit is an error") {
    regex::compile_error error;
    auto re = regex::compile("(a+)+$", false, error);
    CHECK(re->match("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", nullptr, {100, 20}) == regex_verdict::error);
}
