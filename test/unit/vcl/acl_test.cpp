#include "vcl/vm/acl.hpp"

#include "support/vcl_world.hpp"
#include "vcl/code/image.hpp"

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

namespace {

/// The rules of the ACL that `entries` make, as written, each with a semicolon; the warnings in `messages`.
std::string rules_of(const std::string& flags, const std::string& entries, std::string& messages) {
    test::vcl_world w;
    const vcl::compile_result r = w.compile("vcl 4.1; backend default none; acl a " + flags + " { " + entries +
                                            " } sub vcl_recv { if (client.ip ~ a) { return (pass); } }");
    messages = r.messages;
    std::string out;
    if (r.code != nullptr) {
        for (const vcl::acl::rule& rule : r.code->image().acls[0].rules()) {
            out += (rule.negated ? "!" : "") + rule.written + ";";
        }
    }
    return out;
}

std::size_t count_of(const std::string& part, const std::string& whole) {
    std::size_t n = 0;
    for (std::size_t at = whole.find(part); at != std::string::npos; at = whole.find(part, at + 1)) {
        ++n;
    }
    return n;
}

} // namespace

TEST_CASE("+fold drops what is inside and joins what is side by side") {
    std::string said;
    const std::string entries = "\"10.0.0.0\"/25; \"10.0.0.128\"/25; \"10.0.0.7\"; \"10.0.2.0\"/24; \"::1\";";
    CHECK(rules_of("+fold", entries, said) == "\"10.0.0.0\"/24 fixed: folded;\"10.0.2.0\"/24;\"::1\";");
    CHECK(count_of("supersedes / removes:", said) == 1);
    CHECK(count_of("expanding mask of the former by one to /24", said) == 1);
    CHECK(count_of("(That was just a warning)", said) == 2);
    CHECK(count_of(";", rules_of("-fold", entries, said)) == 5);
    CHECK(said.empty());
    CHECK(count_of(";", rules_of("+table", entries, said)) == 5);
}

TEST_CASE("+fold joins what was joined") {
    std::string said;
    CHECK(rules_of("+fold", "\"10.0.0.0\"/26; \"10.0.0.64\"/26; \"10.0.0.128\"/25; \"10.0.1.0\"/24;", said) ==
          "\"10.0.0.0\"/23 fixed: folded;");
    CHECK(rules_of("+fold", "\"0.0.0.0\"/1; \"128.0.0.0\"/1;", said) == "\"0.0.0.0\"/0 fixed: folded;");
}

TEST_CASE("+fold leaves what is negated and what stands inside that") {
    std::string said;
    CHECK(rules_of("+fold", "\"10.0.0.0\"/24; ! \"10.0.0.128\"/25; \"10.0.0.192\"/26;", said) ==
          "\"10.0.0.192\"/26;!\"10.0.0.128\"/25;\"10.0.0.0\"/24;");
    CHECK(rules_of("+fold", "\"10.0.0.0\"/25; \"10.0.0.128\"/25; ! \"10.0.0.0\"/24;", said) ==
          "\"10.0.0.0\"/25;\"10.0.0.128\"/25;!\"10.0.0.0\"/24;");
    CHECK(rules_of("+fold", "\"10.0.0.0\"/25; ! \"10.0.0.128\"/25;", said) == "\"10.0.0.0\"/25;!\"10.0.0.128\"/25;");
}
