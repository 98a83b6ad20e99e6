#include "cache/storage/file/extent_map.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace clearcoat;

TEST_CASE("the best fit is taken and neighbours join again", "[extent_map]") {
    cache::extent_map map(100);
    auto a = map.take(10, 10);
    auto b = map.take(20, 20);
    auto c = map.take(10, 10);
    REQUIRE(a);
    REQUIRE(b);
    REQUIRE(c);
    CHECK(map.free_bytes() == 60);
    map.give(*b);
    CHECK(map.free_extents() == 2);
    auto d = map.take(15, 15); // fits into the hole rather than the large rest
    REQUIRE(d);
    CHECK(d->offset == b->offset);
    map.give(*d);
    map.give(*a);
    CHECK(map.free_extents() == 2);
    map.give(*c);
    CHECK(map.free_extents() == 1);
    CHECK(map.largest() == 100);
}

TEST_CASE("less than asked for is given when that is enough", "[extent_map]") {
    cache::extent_map map(100);
    CHECK_FALSE(map.take(200, 101));
    auto all = map.take(200, 50);
    REQUIRE(all);
    CHECK(all->size == 100);
    CHECK_FALSE(map.take(1, 1));
    CHECK(map.largest() == 0);
}

TEST_CASE("extents never overlap and nothing is lost", "[extent_map]") {
    std::mt19937 random(3);
    constexpr std::uint64_t size = 10'000;
    cache::extent_map map(size, 50);
    std::vector<cache::extent_map::extent> held;
    std::vector<bool> used(size);
    std::uint64_t taken = 0;
    for (int i = 0; i < 20'000; ++i) {
        if (random() % 2 == 0) {
            auto e = map.take(1 + random() % 200, 1);
            if (!e) {
                continue;
            }
            for (std::uint64_t at = e->offset; at < e->offset + e->size; ++at) {
                REQUIRE_FALSE(used[at]);
                used[at] = true;
            }
            taken += e->size;
            held.push_back(*e);
        } else if (!held.empty()) {
            const std::size_t n = random() % held.size();
            for (std::uint64_t at = held[n].offset; at < held[n].offset + held[n].size; ++at) {
                used[at] = false;
            }
            taken -= held[n].size;
            map.give(held[n]);
            held[n] = held.back();
            held.pop_back();
        }
        REQUIRE(map.free_bytes() == size - taken);
        REQUIRE(map.small_extents() <= map.free_extents());
    }
    for (const auto& e : held) {
        map.give(e);
    }
    CHECK(map.free_extents() == 1);
    CHECK(map.small_extents() == 0);
}
