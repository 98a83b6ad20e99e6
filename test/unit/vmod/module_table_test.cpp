#include "module_caller.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;

namespace {

vcl::value nothing(vcl::call&, std::span<const vcl::value>) {
    return {};
}

constexpr vcl::function_row rows[] = {
    {"VOID nothing()", nothing},
    {"STRING pick(ENUM {ONE, TWO} which=TWO, PRIV_TASK, STRANDS text)", nothing},
    {"BACKEND many([ENUM {NOW, LAZY} resolve], [INT alt=0], REAL warmup=-1, STRING sep=\", \", BOOL b=1, BLOB o=0)",
     nothing},
};
constexpr vcl::object_row objects[] = {
    {"thing(STRING name, PRIV_VCL)", nullptr, rows},
};
const vcl::module_row row{"sample", "a sample", rows, objects};

} // namespace

TEST_CASE("signatures become descriptions") {
    const auto m = vcl::make_module(row);
    REQUIRE(m->functions.size() == 3);
    CHECK(m->functions[0].signature == "VOID sample.nothing()");
    CHECK(m->functions[0].result == vcl::type::none);

    const vcl::function_info& pick = *m->find_function("pick");
    REQUIRE(pick.arguments.size() == 2);
    CHECK(pick.privates == std::vector{vcl::private_kind::task});
    CHECK(pick.arguments[0].words == std::vector<std::string>{"ONE", "TWO"});
    CHECK(pick.arguments[0].default_value.string() == "TWO");
    CHECK(pick.arguments[1].kind == vcl::type::strands);
    CHECK(pick.argument_index("text") == 1);
    CHECK(pick.argument_index("nope") == -1);
    CHECK(pick.argument_index("") == -1);
    CHECK(pick.signature == "STRING sample.pick(ENUM {ONE, TWO} which=TWO, STRANDS text)");
}

TEST_CASE("defaults of every kind") {
    const auto m = vcl::make_module(row);
    const auto& a = m->find_function("many")->arguments;
    REQUIRE(a.size() == 6);
    CHECK(a[0].optional);
    CHECK_FALSE(a[0].has_default);
    CHECK(a[0].default_value.text.data == nullptr);
    CHECK((a[1].optional && a[1].has_default));
    CHECK(a[2].default_value.real == -1);
    CHECK(a[3].default_value.string() == ", ");
    CHECK(a[4].default_value.boolean);
    CHECK(a[5].default_value.blob == nullptr);
}

TEST_CASE("objects have a constructor and methods") {
    const auto m = vcl::make_module(row);
    const vcl::object_info* thing = m->find_object("thing");
    REQUIRE(thing != nullptr);
    CHECK(thing->constructor.signature == "new xthing = sample.thing(STRING name)");
    CHECK(thing->find_method("pick") != nullptr);
    CHECK(thing->find_method("pick")->signature.starts_with("STRING xthing.pick("));
    CHECK(thing->find_method("nope") == nullptr);
    CHECK(m->find_object("nope") == nullptr);
}

TEST_CASE("the bundled modules are found by name") {
    const vcl::module_catalog& all = vmod::bundled_modules();
    CHECK(all.find("std") != nullptr);
    CHECK(all.find("nope") == nullptr);
    for (const auto& [name, m] : all.all()) {
        INFO(name);
        CHECK_FALSE(m->summary.empty());
        for (const vcl::function_info& f : m->functions) {
            INFO(f.name);
            CHECK(f.native != nullptr);
        }
    }
}
