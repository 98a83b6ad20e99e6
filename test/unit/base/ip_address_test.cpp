#include "base/ip_address.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat::base;

TEST_CASE("numeric addresses parse and print") {
    CHECK(to_string(*parse_ip("192.0.2.7")) == "192.0.2.7");
    CHECK(to_string(*parse_ip("2001:db8::1", 80)) == "2001:db8::1");
    CHECK(parse_ip("::1")->kind == ip_address::family::v6);
    CHECK_FALSE(parse_ip("localhost"));
    CHECK_FALSE(parse_ip(""));
    CHECK_FALSE(parse_ip("1.2.3.4.5"));
    CHECK(to_string(bogus_ip) == "0.0.0.0");
}
