#include "tables/counters.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat::tables;

TEST_CASE("a delta is merged and zeroed", "[tables]") {
    main_counters shared;
    main_counters delta;
    shared.cache_hit = 5;
    shared.n_object = 3;
    delta.cache_hit = 2;
    delta.n_object -= 1;
    merge_into(shared, delta);
    CHECK(shared.cache_hit == 7);
    CHECK(shared.n_object == 2);
    CHECK(delta.cache_hit == 0);
    CHECK(delta.n_object == 0);
}

TEST_CASE("fields stand in the reference's order", "[tables]") {
    CHECK(main_counter_set().fields.front().name == "summs");
    CHECK(main_counter_set().fields.back().name == "n_test_gunzip");
    CHECK(main_counter_set().fields.size() == 146);
    CHECK(vbe_counter_set().fields.front().type == counter_type::bitmap);
    CHECK(mgt_counter_set().prefix == "MGT");
}
