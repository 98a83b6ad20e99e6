#include "module_caller.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using test::named;
using test::text;

namespace {

struct std_caller : test::module_caller {
    std_caller() : module_caller("std") {}

    std::string sorted(std::string_view url) { return text_of("querysort", {text(url)}); }
};

} // namespace

TEST_CASE_METHOD(std_caller, "upper and lower case") {
    CHECK(text_of("toupper", {strands({"yes", std::string_view(), "! \xc3\xa4"})}) == "YES! \xc3\xa4");
    CHECK(text_of("tolower", {strands({"VerY"})}) == "very");
    CHECK(text_of("tolower", {strands({})}) == "");
}

TEST_CASE_METHOD(std_caller, "upper case without room is undefined") {
    const std::string big(70000, 'x');
    CHECK(text_of("toupper", {strands({big})}) == "(undefined)");
    CHECK(task.workspace().overflowed());
}

TEST_CASE_METHOD(std_caller, "strstr gives the tail") {
    CHECK(text_of("strstr", {text("/a/b/c"), text("/b")}) == "/b/c");
    CHECK(text_of("strstr", {text("/a/b/c"), text("")}) == "/a/b/c");
    CHECK(text_of("strstr", {text("/a/b/c"), text("/B")}) == "(undefined)");
    CHECK(text_of("strstr", {text("/a"), test::undefined_text()}) == "(undefined)");
}

TEST_CASE_METHOD(std_caller, "shell patterns") {
    CHECK(run("fnmatch", {text("/foo/*"), text("/foo/bar")}).boolean);
    CHECK_FALSE(run("fnmatch", {text("/foo/*"), text("/foo/bar/baz")}).boolean);
    CHECK(run("fnmatch", {text("/foo/*"), text("/foo/bar/baz"), named("pathname", test::flag(false))}).boolean);
    CHECK(run("fnmatch", {text("\\*"), text("*")}).boolean);
    CHECK_FALSE(run("fnmatch", {text("\\*"), text("*"), named("noescape", test::flag(true))}).boolean);
    CHECK_FALSE(run("fnmatch", {text("*"), text(".x"), named("period", test::flag(true))}).boolean);
    CHECK(failure().empty());
    run("fnmatch", {test::undefined_text(), text("x")});
    CHECK(failure() == "std.fnmatch(): pattern is NULL");
    run("fnmatch", {text("x"), test::undefined_text()});
    CHECK(failure() == "std.fnmatch(): subject is NULL");
}

TEST_CASE_METHOD(std_caller, "query parameters are sorted") {
    CHECK(sorted("/") == "/");
    CHECK(sorted("/?b=1") == "/?b=1");
    CHECK(sorted("/?b=1&a=2") == "/?a=2&b=1");
    CHECK(sorted("/?b&&a&") == "/?a&b");
    CHECK(sorted("/?&") == "/?");
    CHECK(sorted("/?b=1&a=2&b=0&B=9") == "/?B=9&a=2&b=0&b=1");
    CHECK(sorted("/p&q?z&y") == "/p&q?y&z");
    CHECK(sorted("/?a=10&a=1") == "/?a=10&a=1");
    CHECK(text_of("querysort", {test::undefined_text()}) == "(undefined)");
}

TEST_CASE_METHOD(std_caller, "a long query is sorted too") {
    std::string url = "/?";
    std::string wanted = "/?";
    for (int i = 999; i >= 100; --i) {
        url += std::to_string(i) + (i > 100 ? "&" : "");
        wanted += std::to_string(1099 - i) + (i > 100 ? "&" : "");
    }
    CHECK(sorted(url) == wanted);
}

TEST_CASE_METHOD(std_caller, "strftime writes UTC") {
    CHECK(text_of("strftime", {test::real(784111777.5), text("%Y%m%dT%H%M%SZ")}) == "19941106T084937Z");
    CHECK(text_of("strftime", {test::real(0), text("")}) == "");
}

TEST_CASE_METHOD(std_caller, "collect joins headers where they can be changed") {
    task.headers[vcl::message::req] = {{"Accept", "a"}, {"X", "1"}, {"accept", "b"}};
    const vcl::header_ref accept{vcl::message::req, "Accept"};
    vcl::value header;
    header.header = &accept;
    run("collect", {{"", header}});
    CHECK(task.header(vcl::message::req, "accept") == "a, b");
    task.headers[vcl::message::req] = {{"Accept", "a"}, {"accept", "b"}};
    run("collect", {{"", header}, text("; ")});
    CHECK(task.header(vcl::message::req, "accept") == "a; b");
    const vcl::header_ref stored{vcl::message::obj, "Accept"};
    header.header = &stored;
    place.where = vcl::sub_id::hit;
    run("collect", {{"", header}});
    CHECK(failure() == "std.collect(): header argument can not be used here");
}
