#include "module_caller.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using test::named;

namespace {

struct std_caller : test::module_caller {
    std_caller() : module_caller("std") {}

    std::string ip(std::string_view text, std::vector<test::given> more = {}) {
        more.insert(more.begin(), test::text(text));
        const vcl::value v = run("ip", more);
        return base::to_string(*v.ip) + " " + std::to_string(v.ip->port);
    }
};

} // namespace

TEST_CASE_METHOD(std_caller, "numeric addresses with and without a port") {
    CHECK(ip("192.0.2.1") == "192.0.2.1 80");
    CHECK(ip("192.0.2.1:8080") == "192.0.2.1 8080");
    CHECK(ip("192.0.2.1 81") == "192.0.2.1 81");
    CHECK(ip("2001:db8::1") == "2001:db8::1 80");
    CHECK(ip("[2001:db8::1]") == "2001:db8::1 80");
    CHECK(ip("[2001:db8::1]:82") == "2001:db8::1 82");
    CHECK(ip("[2001:db8::1] 83") == "2001:db8::1 83");
    CHECK(ip("192.0.2.1", {named("p", test::text("443"))}) == "192.0.2.1 443");
    CHECK(ip("192.0.2.1:7", {named("p", test::text("443"))}) == "192.0.2.1 7");
    CHECK(waits == 0);
    CHECK(failure().empty());
}

TEST_CASE_METHOD(std_caller, "what is no address falls back or fails") {
    const base::ip_address other = *base::parse_ip("203.0.113.9", 99);
    const test::given fallback = named("fallback", {"", vcl::value::of(&other)});
    const test::given numeric = named("resolve", test::flag(false));
    for (const char* text : {"", "nonsense", "[::1", "[::1]x", "1.2.3.4:http:x", "localhost"}) {
        INFO(text);
        CHECK(ip(text, {fallback, numeric}) == "203.0.113.9 99");
    }
    CHECK(failure().empty());
    CHECK(ip("nonsense", {numeric}) == "0.0.0.0 0");
    CHECK(failure() == "std.ip: conversion failed");
    CHECK(ip("1.2.3.4", {named("fallback", {"", vcl::value::of(static_cast<const base::ip_address*>(nullptr))})}) ==
          "0.0.0.0 0");
    CHECK(failure() == "std.ip: invalid fallback");
}

TEST_CASE_METHOD(std_caller, "a name is asked for while the task waits") {
    const std::string found = ip("localhost:81");
    CHECK((found == "127.0.0.1 81" || found == "::1 81"));
    CHECK(waits == 1);
    CHECK(failure().empty());
}

TEST_CASE_METHOD(std_caller, "where a task cannot wait the name is asked for at once") {
    task.can_wait = false;
    const std::string found = ip("localhost");
    CHECK((found == "127.0.0.1 80" || found == "::1 80"));
    CHECK(waits == 0);
}

TEST_CASE_METHOD(std_caller, "the port of an address") {
    const base::ip_address a = *base::parse_ip("192.0.2.1", 1234);
    CHECK(run("port", {{"", vcl::value::of(&a)}}).integer == 1234);
    CHECK(run("port", {{"", vcl::value::of(&base::bogus_ip)}}).integer == 0);
    CHECK(run("port", {{"", vcl::value::of(static_cast<const base::ip_address*>(nullptr))}}).integer == 0);
}
