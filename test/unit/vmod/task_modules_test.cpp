// Modules that work on the task: var, re.
#include "module_caller.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using test::number;
using test::text;

namespace {

struct var_caller : test::module_caller {
    var_caller() : module_caller("var") {}
};

struct re_caller : test::module_caller {
    re_caller() : module_caller("re") {}
    bool match(vcl::module_object& o, std::string_view s) { return run(o, "regex", "match", {text(s)}).boolean; }
    std::string backref(vcl::module_object& o, std::int64_t n) {
        return std::string(run(o, "regex", "backref", {number(n), text("-")}).string());
    }
};

} // namespace

TEST_CASE_METHOD(var_caller, "a variable has one value and one type") {
    run("set", {text("a"), text("x")});
    CHECK(text_of("get", {text("a")}) == "x");
    CHECK(text_of("get_string", {text("a")}) == "x");
    CHECK(run("get_int", {text("a")}).integer == 0);
    run("set_int", {text("a"), number(7)});
    CHECK(run("get_int", {text("a")}).integer == 7);
    CHECK(text_of("get", {text("a")}) == "(undefined)");
    run("set_real", {text("r"), test::real(1.5)});
    CHECK(run("get_real", {text("r")}).real == 1.5);
    CHECK(run("get_duration", {text("r")}).real == 0);
    run("set", {text("u"), test::undefined_text()});
    CHECK(text_of("get", {text("u")}) == "");
    run("set", {test::undefined_text(), text("lost")});
    CHECK(text_of("get", {test::undefined_text()}) == "(undefined)");
    run("clear");
    CHECK(run("get_int", {text("a")}).integer == 0);
    CHECK(text_of("get", {text("u")}) == "(undefined)");
}

TEST_CASE_METHOD(var_caller, "variables end with the task, global ones do not") {
    run("set", {text("a"), text("x")});
    run("global_set", {text("g"), text("y")});
    task.end_task();
    CHECK(text_of("get", {text("a")}) == "(undefined)");
    CHECK(text_of("global_get", {text("g")}) == "y");
    run("global_set", {text("g"), test::undefined_text()});
    CHECK(text_of("global_get", {text("g")}) == "(undefined)");
}

TEST_CASE_METHOD(re_caller, "captures stay until the next match") {
    const auto o = make("regex", "o", {text("/a(\\d+)(x)?")});
    CHECK(backref(*o, 1) == "-");
    CHECK(task.records.last(log_tag::VCL_Error) == "re: backref() without a match before");
    CHECK(match(*o, "/z/a12"));
    CHECK(backref(*o, 0) == "/a12");
    CHECK(backref(*o, 1) == "12");
    CHECK(backref(*o, 2) == "-");
    CHECK(backref(*o, 10) == "-");
    CHECK_FALSE(match(*o, "/b"));
    CHECK(backref(*o, 0) == "-");
    CHECK(run(*o, "regex", "match_dyn", {text("b(.)"), text("abc")}).boolean);
    CHECK(backref(*o, 1) == "c");
    CHECK_FALSE(run(*o, "regex", "match_dyn", {text("("), text("abc")}).boolean);
    CHECK(backref(*o, 1) == "-");
}

TEST_CASE_METHOD(re_caller, "a wrong expression fails matches, not the load") {
    const auto bad = make("regex", "bad", {text("(")});
    REQUIRE(bad != nullptr);
    CHECK_FALSE(task.failed());
    CHECK(run(*bad, "regex", "failed").boolean);
    CHECK(run(*bad, "regex", "error").string().size() > 5);
    CHECK_FALSE(match(*bad, "("));
    const auto good = make("regex", "good", {text("a")});
    CHECK_FALSE(run(*good, "regex", "failed").boolean);
    CHECK(run(*good, "regex", "error").string().empty());
}
