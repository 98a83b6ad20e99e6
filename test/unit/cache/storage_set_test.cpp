#include "cache/storage/storage_set.hpp"

#include "cache/storage/malloc/malloc_storage.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat::cache;

TEST_CASE("storages take turns, Transient only when alone", "[storage_set]") {
    storage_set set(std::make_unique<malloc_storage>("Transient", 0));
    CHECK(&set.next() == &set.transient());
    storage& a = set.add(std::make_unique<malloc_storage>("s0", 1000));
    storage& b = set.add(std::make_unique<malloc_storage>("disk", 1000));
    CHECK(set.size() == 3);
    CHECK(a.number() == 1);
    storage& first = set.next();
    storage& second = set.next();
    CHECK(&first != &second);
    CHECK(&first != &set.transient());
    CHECK(&second != &set.transient());
    CHECK(&set.next() == &first);
    CHECK(set.find("disk") == &b);
    CHECK(set.find("Transient") == &set.transient());
    CHECK(set.find("none") == nullptr);
    CHECK(&set.at(2) == &b);
}
