#include "cache/storage/malloc/malloc_storage.hpp"

#include "storage_suite.hpp"

using namespace clearcoat;
using namespace clearcoat::test;

namespace {

constexpr std::uint64_t limit = 1u << 20;

} // namespace

TEST_CASE("malloc storage: shared suite", "[malloc_storage]") {
    cache::malloc_storage s("s0", limit);
    SECTION("random use") {
        suite_random_use(s);
    }
    SECTION("budget") {
        suite_budget(s, limit);
    }
    SECTION("charges") {
        suite_charges(s, limit);
    }
    SECTION("counters") {
        suite_counters(s);
    }
    SECTION("threads") {
        suite_threads(s, limit);
    }
}

TEST_CASE("malloc storage without a limit", "[malloc_storage]") {
    cache::malloc_storage s("Transient", 0);
    std::vector<held_block> held;
    CHECK(s.kind_name() == "malloc");
    CHECK(s.counter_section() == "SMA");
    REQUIRE(take(s, held, 8u << 20, 8u << 20, 'x'));
    CHECK(s.free_space() == 0);
    CHECK(s.used_space() >= 8u << 20);
    give(s, held, 0);
    check_empty(s);
    CHECK(s.counter(cache::storage_counter::g_space) == 0);
}

TEST_CASE("what a block costs counts malloc's own share", "[malloc_storage]") {
    CHECK(cache::heap_cost(1) == 32);
    CHECK(cache::heap_cost(24) == 32);
    CHECK(cache::heap_cost(25) == 48);
    CHECK(cache::heap_cost(1000) == 1008);
    CHECK(cache::heap_cost(200'000) % 4096 == 0);
}
