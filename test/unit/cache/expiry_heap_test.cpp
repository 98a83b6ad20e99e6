#include "cache/expiry_heap.hpp"

#include "fixture.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace clearcoat;
using namespace clearcoat::test;

TEST_CASE("the heap gives objects in the order of their times", "[expiry_heap]") {
    cache_fixture f;
    cache::expiry_heap heap;
    std::mt19937 random(7);
    std::vector<std::pair<cache::object_ref, double>> all;
    for (int i = 0; i < 500; ++i) {
        all.emplace_back(f.index.make_private(), static_cast<double>(random() % 1000));
        heap.insert(*all.back().first, all.back().second);
    }
    for (std::size_t i = 0; i < all.size(); i += 3) {
        all[i].second = static_cast<double>(random() % 1000);
        heap.move(*all[i].first, all[i].second);
    }
    for (std::size_t i = 1; i < all.size(); i += 7) {
        heap.erase(*all[i].first);
        heap.erase(*all[i].first);
        CHECK_FALSE(cache::expiry_heap::contains(*all[i].first));
        all[i].second = -1;
    }
    all.erase(std::remove_if(all.begin(), all.end(), [](const auto& x) { return x.second < 0; }), all.end());
    CHECK(heap.size() == all.size());
    double last = 0;
    while (!heap.empty()) {
        cache::object& o = heap.front();
        const auto at = std::find_if(all.begin(), all.end(), [&](const auto& x) { return x.first.get() == &o; });
        REQUIRE(at != all.end());
        REQUIRE(at->second == heap.next());
        REQUIRE(heap.next() >= last);
        last = heap.next();
        heap.erase(o);
    }
}
