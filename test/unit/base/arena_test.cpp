#include "base/arena.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace clearcoat::base;

TEST_CASE("an arena hands out aligned memory across chunks") {
    chunk_cache cache(256, 4);
    arena a(cache);
    for (int i = 0; i < 100; ++i) {
        auto* p = a.make<std::uint64_t>(7u);
        REQUIRE(p != nullptr);
        CHECK(reinterpret_cast<std::size_t>(p) % alignof(std::uint64_t) == 0);
    }
    CHECK(a.copy(std::string(1000, 'x')).size() == 1000);
}

TEST_CASE("an arena refuses what its limit does not allow and says so") {
    chunk_cache cache(256, 4);
    arena a(cache, 100);
    CHECK(a.allocate(60) != nullptr);
    CHECK_FALSE(a.overflowed());
    CHECK(a.allocate(60) == nullptr);
    CHECK(a.overflowed());
    CHECK(a.copy("0123456789012345678901234567890123456789").data() == nullptr);
    a.reset();
    CHECK(a.allocate(60) != nullptr);
}

TEST_CASE("what an arena gives uncounted neither counts nor overflows") {
    chunk_cache cache(256, 4);
    arena a(cache, 104);
    CHECK(a.allocate(60) != nullptr);
    void* array = a.allocate_uncounted(200, 8);
    REQUIRE(array != nullptr);
    CHECK(reinterpret_cast<std::size_t>(array) % 8 == 0);
    CHECK(a.allocate_uncounted(1000, 8) != nullptr);
    CHECK(a.used() == 64); // whole words
    CHECK(a.allocate(40, 1) != nullptr);
    CHECK_FALSE(a.overflowed());
    CHECK(a.allocate(1, 1) == nullptr);
    CHECK(a.overflowed());
}

TEST_CASE("rewinding gives later memory back") {
    chunk_cache cache(128, 4);
    arena a(cache, 1000);
    a.copy("kept");
    const auto mark = a.position();
    const auto used = a.used();
    a.copy(std::string(500, 'y'));
    a.rewind(mark);
    CHECK(a.used() == used);
    CHECK(a.copy(std::string(900, 'z')).size() == 900);
}

TEST_CASE("reserve and commit format in place") {
    chunk_cache cache(128, 4);
    arena a(cache, 1000);
    auto room = a.reserve(10);
    REQUIRE(room.size() >= 10);
    room[0] = 'a';
    a.commit(1);
    auto next = a.reserve(10);
    CHECK(next.data() == room.data() + 1);
    CHECK(a.reserve(2000).empty());
}
