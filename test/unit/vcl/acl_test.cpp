#include "vcl/vm/acl.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;

namespace {

vcl::acl::rule rule(const char* network, std::uint8_t bits, bool negated = false) {
    return {*base::parse_ip(network), bits, negated, network};
}

std::string found(const vcl::acl& a, const char* address) {
    const vcl::acl::rule* r = a.find(*base::parse_ip(address));
    return r == nullptr ? "" : r->written;
}

} // namespace

TEST_CASE("the narrowest network counts") {
    vcl::acl a("a", false,
               {rule("10.0.0.0", 8), rule("10.1.0.0", 16, true), rule("10.1.2.0", 24), rule("10.200.0.0", 16),
                rule("192.0.2.1", 32), rule("2001:db8::", 32), rule("2001:db8:1::", 48, true)});
    CHECK(found(a, "10.1.2.3") == "10.1.2.0");
    CHECK(found(a, "10.1.3.3") == "10.1.0.0");
    CHECK(found(a, "10.199.0.1") == "10.0.0.0");
    CHECK(found(a, "10.255.255.255") == "10.0.0.0");
    CHECK(found(a, "11.0.0.0") == "");
    CHECK(found(a, "9.255.255.255") == "");
    CHECK(found(a, "192.0.2.1") == "192.0.2.1");
    CHECK(found(a, "2001:db8:1::9") == "2001:db8:1::");
    CHECK(found(a, "2001:db8:2::9") == "2001:db8::");
    CHECK(found(a, "::1") == "");
    CHECK(a.match(*base::parse_ip("10.1.2.3")));
    CHECK_FALSE(a.match(*base::parse_ip("10.1.3.3")));
}

TEST_CASE("an empty list and one that holds everything") {
    CHECK(found(vcl::acl("a", false, {}), "10.0.0.1") == "");
    vcl::acl all("a", false, {rule("0.0.0.0", 0), rule("::", 0)});
    CHECK(found(all, "255.255.255.255") == "0.0.0.0");
    CHECK(found(all, "ffff::") == "::");
}
