#include "directors_caller.hpp"

#include "base/testable_random.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using listing = vcl::director::listing;
using test::directors_caller;

TEST_CASE_METHOD(directors_caller, "round_robin takes turns among the healthy") {
    auto rr = make("round_robin", "rr");
    CHECK(chosen(*rr) == "-");
    for (auto* one : {&a, &b, &c}) {
        run(*rr, "round_robin", "add_backend", {test::backend(*one)});
    }
    CHECK(chosen(*rr, 6) == "abcabc");
    b.now.healthy = false;
    CHECK(chosen(*rr, 4) == "acac");
    a.now.healthy = false;
    c.now.healthy = false;
    CHECK(chosen(*rr) == "-");
    run(*rr, "round_robin", "remove_backend", {test::backend(b)});
    run(*rr, "round_robin", "remove_backend", {test::backend(b)});
    a.now.healthy = true;
    CHECK(chosen(*rr, 2) == "aa");
    CHECK(run(*rr, "round_robin", "backend").backend->name() == "rr");
    CHECK(failure().empty());
}

TEST_CASE_METHOD(directors_caller, "a None backend cannot be added or removed") {
    auto rr = make("round_robin", "rr");
    const test::given none{"", vcl::value::of(static_cast<vcl::director*>(nullptr))};
    run(*rr, "round_robin", "add_backend", {none});
    CHECK(failure() == "rr: None backend cannot be added");
    run(*rr, "round_robin", "remove_backend", {none});
    CHECK(failure() == "rr: None backend cannot be removed");
}

TEST_CASE_METHOD(directors_caller, "directors are in the list while they live, and nest") {
    {
        auto outer = make("fallback", "outer");
        auto inner = make("round_robin", "inner");
        CHECK(env.directors.size() == 5);
        run(*inner, "round_robin", "add_backend", {test::backend(b)});
        run(*outer, "fallback", "add_backend", {{"", run(*inner, "round_robin", "backend")}});
        CHECK(chosen(*outer) == "inner");
        env.find_director("inner")->set_admin(vcl::director::admin_health::sick, 1);
        CHECK(chosen(*outer) == "-");
        CHECK_FALSE(env.find_director("outer")->effective_state(nullptr).healthy);
    }
    CHECK(env.directors.size() == 3);
}

TEST_CASE_METHOD(directors_caller, "lookup finds by name, in vcl_init only") {
    CHECK(run("lookup", {test::text("b")}).backend == &b);
    CHECK(run("lookup", {test::text("x")}).backend == nullptr);
    CHECK(failure().empty());
    place.where = vcl::sub_id::recv;
    run("lookup", {test::text("b")});
    CHECK(failure() == "lookup() may only be called from vcl_init / vcl_fini");
}

TEST_CASE_METHOD(directors_caller, "fallback prefers the first") {
    auto fb = make("fallback", "fb");
    run(*fb, "fallback", "add_backend", {test::backend(a)});
    run(*fb, "fallback", "add_backend", {test::backend(b)});
    CHECK(chosen(*fb) == "a");
    a.now.healthy = false;
    CHECK(chosen(*fb) == "b");
    a.now.healthy = true;
    CHECK(chosen(*fb) == "a");
}

TEST_CASE_METHOD(directors_caller, "a sticky fallback stays until it has to go") {
    auto fb = make("fallback", "fb", {test::flag(true)});
    for (auto* one : {&a, &b, &c}) {
        run(*fb, "fallback", "add_backend", {test::backend(*one)});
    }
    a.now.healthy = false;
    CHECK(chosen(*fb) == "b");
    a.now.healthy = true;
    CHECK(chosen(*fb) == "b");
    run(*fb, "fallback", "remove_backend", {test::backend(a)});
    CHECK(chosen(*fb) == "b");
    CHECK(listed(*fb, listing::details) == "\n\n\tBackend\tCurrent\tHealth\n\tb\t*\thealthy\n\tc\t\thealthy\n");
    run(*fb, "fallback", "remove_backend", {test::backend(c)});
    run(*fb, "fallback", "remove_backend", {test::backend(b)});
    CHECK(chosen(*fb) == "-");
}

TEST_CASE_METHOD(directors_caller, "random goes by weight, and by the seed") {
    auto r = make("random", "r");
    run(*r, "random", "add_backend", {test::backend(a), test::real(1)});
    run(*r, "random", "add_backend", {test::backend(b), test::real(3)});
    run(*r, "random", "add_backend", {test::backend(c), test::real(0)});
    base::seed_testable_random(1);
    const std::string first = chosen(*r, 1000);
    base::seed_testable_random(1);
    CHECK(chosen(*r, 1000) == first);
    const auto as = std::count(first.begin(), first.end(), 'a');
    CHECK((as > 180 && as < 320));
    CHECK(first.find('c') == std::string::npos);
    b.now.healthy = false;
    CHECK(chosen(*r, 20) == std::string(20, 'a'));
    a.now.healthy = false;
    CHECK(chosen(*r) == "-");
}

TEST_CASE_METHOD(directors_caller, "hash chooses by text at once") {
    auto h = make("hash", "h");
    run(*h, "hash", "add_backend", {test::backend(a)});
    run(*h, "hash", "add_backend", {test::backend(b), test::real(1)});
    std::map<std::string, int> count;
    for (int i = 0; i < 200; ++i) {
        const std::string key = std::to_string(i);
        const vcl::value first = run(*h, "hash", "backend", {strands({key})});
        const vcl::value again = run(*h, "hash", "backend", {strands({key.substr(0, 1), key.substr(1)})});
        CHECK(first.backend == again.backend);
        ++count[first.backend->name()];
    }
    CHECK((count["a"] > 60 && count["b"] > 60));
    CHECK(chosen(*h) == "-");
    CHECK(listed(*h, listing::row) == "0/0\thealthy");
    CHECK(listed(*h, listing::json) == "[0, 0, \"healthy\"]");
    CHECK(listed(*h, listing::details).empty());
}

TEST_CASE_METHOD(directors_caller, "what backend.list shows") {
    auto r = make("random", "r");
    run(*r, "random", "add_backend", {test::backend(a), test::real(1)});
    run(*r, "random", "add_backend", {test::backend(b), test::real(3)});
    run(*r, "random", "add_backend", {test::backend(c), test::real(4)});
    c.now = {false, 77};
    CHECK(listed(*r, listing::row) == "2/3\thealthy");
    CHECK(env.find_director("r")->changed() == 77);
    CHECK(listed(*r, listing::json) == "[2, 3, \"healthy\"]");
    CHECK(listed(*r, listing::details) ==
          "\n\n\tBackend\tWeight\tHealth\n\ta\t 25.00%\thealthy\n\tb\t 75.00%\thealthy\n\tc\t  0.00%\tsick\n");
    CHECK(listed(*r, listing::json_details) == R"({
  "total_weight": 4.000000,
  "backends": {
    "a": {
      "weight": 1.000000,
      "health": "healthy"
    },
    "b": {
      "weight": 3.000000,
      "health": "healthy"
    },
    "c": {
      "weight": 0.000000,
      "health": "sick"
    }
  }
},
)");
    auto rr = make("round_robin", "rr");
    CHECK(listed(*rr, listing::row) == "0/0\tsick");
    run(*rr, "round_robin", "add_backend", {test::backend(c)});
    CHECK(listed(*rr, listing::details) == "\n\n\tBackend\tWeight\tHealth\n\tc\t-\tsick\n");
    CHECK(listed(*rr, listing::json) == "[0, 1, \"sick\"]");
}
