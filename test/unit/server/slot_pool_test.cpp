#include "server/slot_pool.hpp"

#include <catch2/catch.hpp>

#include <cstring>

using namespace clearcoat;

TEST_CASE("a slot pool keeps some memory and counts all of it") {
    server::slot_pool pool(100, 1);
    CHECK(pool.counts().sz_wanted == 100);
    void* first = pool.take();
    void* second = pool.take();
    REQUIRE(first != nullptr);
    REQUIRE(second != nullptr);
    std::memset(first, 1, 100);
    std::memset(second, 2, 100);
    CHECK(pool.counts().live == 2);
    CHECK(pool.counts().randry == 2);
    pool.give(first);
    pool.give(second); // one too many to keep
    CHECK(pool.counts().live == 0);
    CHECK(pool.counts().pool == 1);
    CHECK(pool.counts().surplus == 1);
    CHECK(pool.take() == first);
    CHECK(pool.counts().recycle == 1);
    CHECK(pool.counts().pool == 0);
    CHECK(pool.counts().allocs == 3);
    CHECK(pool.counts().frees == 2);
    pool.give(first);
}
