#include "worker/vxids.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace clearcoat::worker;

namespace {

constexpr clearcoat::base::vxid_number narrow = (1ULL << 30) - 1;

} // namespace

TEST_CASE("numbers differ between loops and are never 0") {
    vxid_supply supply(narrow);
    vxid_cache a(supply);
    vxid_cache b(supply);
    std::set<clearcoat::base::vxid_number> seen;
    for (int i = 0; i < 100000; ++i) {
        CHECK_FALSE(seen.contains(0));
        REQUIRE(seen.insert(a.next()).second);
        REQUIRE(seen.insert(b.next()).second);
    }
}

TEST_CASE("debug.xid makes numbers predictable, also for loops that held some") {
    vxid_supply supply(narrow);
    vxid_cache a(supply);
    vxid_cache b(supply);
    a.next();
    supply.restart(999, 1);
    CHECK(supply.position() == 999);
    CHECK(a.next() == 1000);
    CHECK(b.next() == 1001);
    CHECK(a.next() == 1002);
}

TEST_CASE("numbers wrap to what a record can hold") {
    vxid_supply supply(narrow);
    vxid_cache a(supply);
    supply.restart((1ULL << 30) - 2, 1);
    CHECK(a.next() == (1ULL << 30) - 1);
    CHECK(a.next() == 1);
    vxid_supply wide((1ULL << 49) - 1);
    vxid_cache b(wide);
    wide.restart((1ULL << 30) - 1, 2);
    CHECK(b.next() == 1ULL << 30);
    CHECK(b.next() == (1ULL << 30) + 1);
}
