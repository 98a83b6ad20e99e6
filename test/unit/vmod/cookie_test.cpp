#include "module_caller.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using test::text;

namespace {

struct cookie_caller : test::module_caller {
    cookie_caller() : module_caller("cookie") {}

    void parse(std::string_view header) { run("parse", {text(header)}); }
    std::string all() { return text_of("get_string"); }
    std::string get(std::string_view name) { return text_of("get", {text(name)}); }
    test::given expression(const char* pattern) {
        base::regex::compile_error error;
        kept = base::regex::compile(pattern, false, error);
        vcl::value v;
        v.regex = kept.get();
        return {"", v};
    }
    std::shared_ptr<const base::regex> kept;
};

} // namespace

TEST_CASE_METHOD(cookie_caller, "a header is taken apart and put together") {
    parse("a=1; b=2;  c=x=y;d=; e=5");
    CHECK(all() == "a=1; b=2; c=x=y; e=5;");
    CHECK(task.records.last(log_tag::Debug) == "cookie: parsed 5 cookies.");
    CHECK(get("c") == "x=y");
    CHECK(get("d") == "(undefined)");
    CHECK(run("isset", {text("a")}).boolean);
    CHECK_FALSE(run("isset", {text("x")}).boolean);
    CHECK_FALSE(run("isset", {text("")}).boolean);
    parse("z=26");
    CHECK(all() == "z=26;");
    parse("");
    CHECK(all() == "z=26;");
    CHECK(task.records.last(log_tag::Debug) == "cookie: nothing to parse");
    run("clean");
    CHECK(all() == "");
}

TEST_CASE_METHOD(cookie_caller, "what is no cookie is borne") {
    parse("novalue");
    CHECK(all() == "");
    parse("stray; a=1; b");
    CHECK(all() == "stray; a=1;");
    parse("a=1; a=2");
    CHECK(all() == "a=2;");
    parse(";;=;=x;a=1");
    CHECK(get("a") == "1");
}

TEST_CASE_METHOD(cookie_caller, "cookies are set, replaced and removed") {
    run("set", {text("a"), text("1")});
    run("set", {text("b"), text("2")});
    run("set", {text("a"), text("3")});
    run("set", {text("c"), text("")});
    run("set", {text(""), text("x")});
    CHECK(all() == "a=3; b=2;");
    run("delete", {text("a")});
    run("delete", {text("nope")});
    CHECK(all() == "b=2;");
}

TEST_CASE_METHOD(cookie_caller, "lists of names keep or filter") {
    parse("a=1; bb=2; c=3");
    run("filter", {text("a, c")});
    CHECK(all() == "bb=2;");
    parse("a=1; bb=2; c=3");
    run("keep", {text(" a,,bb")});
    CHECK(all() == "a=1; bb=2;");
    run("filter", {text("")});
    CHECK(all() == "a=1; bb=2;");
    run("keep", {test::undefined_text()});
    CHECK(all() == "");
}

TEST_CASE_METHOD(cookie_caller, "expressions keep, filter and find") {
    parse("sess1=1; sess2=2; track=3");
    CHECK(run("get_re", {expression("^sess[2-9]$")}).string() == "2");
    CHECK(run("get_re", {expression("^none")}).text.data == nullptr);
    run("filter_re", {expression("^sess1")});
    CHECK(all() == "sess2=2; track=3;");
    run("keep_re", {expression("^sess")});
    CHECK(all() == "sess2=2;");
    CHECK(task.records.last(log_tag::Debug) == "Removing cookie track (value: 3)");
}

TEST_CASE_METHOD(cookie_caller, "dates of cookies") {
    CHECK(text_of("format_date", {test::real(784111777), test::real(60)}) == "Sun, 06 Nov 1994 08:50:37 GMT");
    CHECK(text_of("format_rfc1123", {test::real(0), test::real(0)}) == "Thu, 01 Jan 1970 00:00:00 GMT");
}

TEST_CASE_METHOD(cookie_caller, "each task has its own jar, and a full workspace loses nothing that was there") {
    parse("a=1");
    run("set", {text("big"), text(std::string(70000, 'x'))});
    CHECK(task.records.last(log_tag::Error) == "cookie: Workspace overflow in set()");
    run("set", {text("a"), text(std::string(70000, 'x'))});
    CHECK(get("a") == "1");
    task.end_task();
    CHECK(all() == "");
}
