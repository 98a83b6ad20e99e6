#include "cache/key_table.hpp"

#include "fixture.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::test;

TEST_CASE("keys are found again while the table grows and shrinks", "[key_table]") {
    cache::key_table table;
    std::vector<cache::key_head*> heads;
    for (int i = 0; i < 5000; ++i) {
        const auto key = key_of(std::to_string(i));
        CHECK(table.find(key) == nullptr);
        heads.push_back(new cache::key_head(key));
        table.insert(*heads.back());
    }
    CHECK(table.size() == 5000);
    for (int i = 0; i < 5000; ++i) {
        REQUIRE(table.find(key_of(std::to_string(i))) == heads[static_cast<std::size_t>(i)]);
    }
    for (int i = 0; i < 5000; i += 2) {
        table.erase(*heads[static_cast<std::size_t>(i)]);
    }
    CHECK(table.size() == 2500);
    CHECK(table.find(key_of("0")) == nullptr);
    CHECK(table.find(key_of("1")) == heads[1]);
    CHECK(table.any() != nullptr);
}
