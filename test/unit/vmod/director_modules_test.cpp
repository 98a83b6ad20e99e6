// Modules whose objects are directors: saintmode and dynamic.
#include "module_caller.hpp"
#include "support/scripted_environment.hpp"

#include "tables/vcl_variables.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using tables::vcl_variable;
using test::number;
using test::real;
using test::text;

namespace {

struct director_caller : test::module_caller {
    explicit director_caller(std::string_view name) : module_caller(name) {
        place.surroundings = &env;
        place.where = vcl::sub_id::init;
        vcl::event_call e{vcl::module_event::load, env, nullptr, state, error};
        if (module().event != nullptr) {
            module().event(e);
        }
        place.module_state = state.get();
    }
    static vcl::director& director(vcl::module_object& o) { return *dynamic_cast<vcl::director*>(&o); }

    test::scripted_environment env;
    std::unique_ptr<vcl::module_object> state;
    std::string error;
};

struct saint_caller : director_caller {
    saint_caller() : director_caller("saintmode") {}
    /// The task becomes a fetch of the object `name` that `from` answered.
    void fetching(std::string_view name, vcl::director& from) {
        hash = {1, std::as_bytes(std::span(name))};
        task.variables[vcl_variable::bereq_hash] = vcl::value::of(&hash);
        task.variables[vcl_variable::beresp_backend] = vcl::value::of(&from);
    }
    bool healthy(vcl::module_object& o) { return director(o).effective_state(&task).healthy; }
    test::scripted_backend& tile = env.make("tile");
    vcl::blob hash;
};

struct dynamic_caller : director_caller {
    dynamic_caller() : director_caller("dynamic") {}
    vcl::director* backend(vcl::module_object& o, std::string_view host) {
        place.where = vcl::sub_id::recv;
        return run(o, "director", "backend", {text(host)}).backend;
    }
};

} // namespace

TEST_CASE_METHOD(saint_caller, "a backend is sick for listed objects, and for all when they are many") {
    const auto sm = make("saintmode", "sm", {test::backend(tile), number(2)});
    fetching("one", tile);
    CHECK(healthy(*sm));
    run("blacklist", {real(10)});
    CHECK_FALSE(healthy(*sm));
    CHECK(director(*sm).resolve(task) == nullptr);
    CHECK(run(*sm, "saintmode", "blacklist_count").integer == 1);
    fetching("two", tile);
    CHECK(healthy(*sm));
    CHECK(director(*sm).resolve(task) == &tile);
    run("blacklist", {real(5)});
    run("blacklist", {real(3)});
    CHECK(run(*sm, "saintmode", "blacklist_count").integer == 2);
    fetching("three", tile);
    CHECK_FALSE(healthy(*sm));
    CHECK_FALSE(run(*sm, "saintmode", "is_healthy").boolean);
    task.time += 6;
    CHECK(healthy(*sm));
    CHECK(std::string(run("status").string()).find("\"count\": \"1\"") != std::string::npos);
    tile.now.healthy = false;
    CHECK_FALSE(healthy(*sm));
}

TEST_CASE_METHOD(saint_caller, "a threshold of 0 switches it off; others' backends are not listed") {
    const auto off = make("saintmode", "off", {test::backend(tile), number(0)});
    fetching("one", tile);
    run("blacklist", {real(10)});
    CHECK(healthy(*off));
    fetching("one", env.make("stranger"));
    run("blacklist", {real(10)});
    CHECK(task.records.last(log_tag::VCL_Error).starts_with("saintmode.blacklist()"));
    CHECK(make("saintmode", "none", {{"", vcl::value()}, number(1)}) == nullptr);
    CHECK(failure() == "saintmode: none has no backend");
}

TEST_CASE_METHOD(dynamic_caller, "a name becomes backends, once for each address") {
    const auto d = make("director", "d", {test::named("port", text("8080"))});
    REQUIRE(d != nullptr);
    vcl::director* const first = backend(*d, "127.0.0.1");
    REQUIRE(first != nullptr);
    CHECK(first->name() == "d(127.0.0.1:8080)");
    REQUIRE(env.specs.size() == 1);
    CHECK(env.specs[0].name == "d(127.0.0.1:8080)");
    CHECK(env.specs[0].port == "8080");
    CHECK(env.specs[0].host_header == "127.0.0.1");
    CHECK(first->resolve(task) == env.backends[0].get());
    CHECK(backend(*d, "127.0.0.1") == first);
    CHECK(env.specs.size() == 1);
    env.backends[0]->now.healthy = false;
    CHECK_FALSE(first->state(nullptr).healthy);
    CHECK(first->resolve(task) == nullptr);
}

TEST_CASE_METHOD(dynamic_caller, "the request's host serves when none is named, without its port") {
    const auto d = make("director", "d", {test::named("port", text("80")), test::named("share", text("HOST"))});
    task.headers[vcl::message::req] = {{"Host", "127.0.0.1:6081"}};
    CHECK(backend(*d, "")->name() == "d(127.0.0.1:80)");
    CHECK(env.specs[0].name == "d(127.0.0.1.127.0.0.1:80)");
    task.headers[vcl::message::req].clear();
    CHECK(backend(*d, "") == nullptr);
    CHECK(task.records.last(log_tag::Error) == "vmod-dynamic: no host name");
}

TEST_CASE_METHOD(dynamic_caller, "what cannot be looked up has no backend, and the log tells") {
    const auto d = make("director", "d", {test::named("port", text("no such port"))});
    vcl::director* const none = backend(*d, "127.0.0.1");
    REQUIRE(none != nullptr);
    CHECK(none->resolve(task) == nullptr);
    REQUIRE_FALSE(env.records.empty());
    CHECK(env.records.back().starts_with("vmod-dynamic: d 127.0.0.1:no such port lookup failed: getaddrinfo"));
    CHECK(make("director", "wrong", {test::named("proxy_header", number(3))}) == nullptr);
    CHECK(failure().starts_with("dynamic.director()"));
}

TEST_CASE_METHOD(dynamic_caller, "where a task cannot wait, the director comes before its backends") {
    const auto d = make("director", "d", {test::named("port", text("80"))});
    task.can_wait = false;
    CHECK(backend(*d, "127.0.0.1") != nullptr);
}
