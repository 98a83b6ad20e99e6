#include "fixture.hpp"

#include <array>
#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::test;
using cache::lookup_verdict;
using cache::object_flag;

namespace {

template<std::size_t N>
int woken(const std::array<counting_waiter, N>& all) {
    int n = 0;
    for (const auto& w : all) {
        n += w.woken;
    }
    return n;
}

} // namespace

TEST_CASE("requests wait for a busy object and are woken a few at a time", "[coalescing]") {
    cache_fixture f;
    const auto key = key_of("/");
    std::array<counting_waiter, 10> crowd;
    auto first = f.lookup(key, 10);
    CHECK_FALSE(f.index.has_waiters(*first.busy));
    for (auto& w : crowd) {
        CHECK(f.lookup(key, 10, nullptr, &w).verdict == lookup_verdict::busy);
    }
    CHECK(f.index.has_waiters(*first.busy));
    CHECK(f.counters.busy_sleep == 10);
    REQUIRE(f.fill(first.busy, 10, 100));
    CHECK(woken(crowd) == 3); // rush_exponent
    CHECK(f.lookup(key, 11).verdict == lookup_verdict::hit);
    CHECK(woken(crowd) == 6);
    f.lookup(key, 11);
    f.lookup(key, 11);
    CHECK(woken(crowd) == 10);
    CHECK(f.counters.busy_wakeup == 10);
    for (const auto& w : crowd) {
        CHECK(w.woken == 1);
    }
}

TEST_CASE("a failed fetch sends the next one to fetch", "[coalescing]") {
    cache_fixture f;
    const auto key = key_of("/");
    counting_waiter a;
    auto first = f.lookup(key, 10);
    f.lookup(key, 10, nullptr, &a);
    f.index.abandon(*first.busy);
    CHECK(a.woken == 1);
    CHECK(first.busy->state() == cache::object_state::failed);
    auto again = f.lookup(key, 10);
    CHECK(again.verdict == lookup_verdict::miss);
    f.index.abandon(*again.busy);
    CHECK(f.counters.n_objecthead == 0);
}

TEST_CASE("a hit-for-miss marker wakes all who wait, in growing groups", "[coalescing]") {
    cache_fixture f;
    const auto key = key_of("/");
    std::array<counting_waiter, 9> crowd;
    auto first = f.lookup(key, 10);
    for (auto& w : crowd) {
        f.lookup(key, 10, nullptr, &w);
    }
    first.busy->set(object_flag::hit_for_miss);
    REQUIRE(f.fill(first.busy, 10, 100));
    CHECK(woken(crowd) == 3);
    std::array<cache::object_ref, 2> fetches;
    for (auto& o : fetches) { // two of the woken come back
        auto r = f.lookup(key, 10);
        CHECK(r.verdict == lookup_verdict::hit_miss);
        o = r.busy;
    }
    CHECK(woken(crowd) == 9);
    for (auto& o : fetches) {
        f.index.abandon(*o);
    }
}

TEST_CASE("a waiter that leaves passes a wake-up on", "[coalescing]") {
    cache_fixture f;
    f.set("rush_exponent", "2");
    const auto key = key_of("/");
    std::array<counting_waiter, 4> crowd;
    auto first = f.lookup(key, 10);
    for (auto& w : crowd) {
        f.lookup(key, 10, nullptr, &w);
    }
    CHECK(f.index.cancel_wait(key, crowd[3]));
    f.index.abandon(*first.busy);
    CHECK(woken(crowd) == 2);
    CHECK_FALSE(f.index.cancel_wait(key, crowd[0])); // was woken; its client is gone
    CHECK(crowd[2].woken == 1);
    CHECK(crowd[3].woken == 0);
    CHECK(f.counters.n_objecthead == 0);
    CHECK_FALSE(f.index.cancel_wait(key, crowd[1]));
}

TEST_CASE("who cannot wait is told so, and who ignores busy objects fetches", "[coalescing]") {
    cache_fixture f;
    const auto key = key_of("/");
    auto first = f.lookup(key, 10);
    CHECK(f.lookup(key, 10).verdict == lookup_verdict::busy);
    CHECK(f.counters.busy_sleep == 0);
    auto ask = f.request(key, 10);
    ask.ignore_busy = true;
    auto r = f.index.lookup(ask);
    CHECK(r.verdict == lookup_verdict::miss);
    f.index.abandon(*r.busy);
    f.index.abandon(*first.busy);
}

TEST_CASE("a predicted variant is waited for only by requests it would serve", "[coalescing]") {
    cache_fixture f;
    const auto key = key_of("/");
    f.store(key, 10, 100, "a", "200\n", "gzip");
    text_vary plain("plain", "plain"), br("br", "br");
    auto fetch = f.lookup(key, 11, &plain);
    REQUIRE(fetch.busy);
    counting_waiter w;
    CHECK(f.lookup(key, 11, &plain, &w).verdict == lookup_verdict::busy);
    auto other = f.lookup(key, 11, &br, &w);
    CHECK(other.verdict == lookup_verdict::miss);
    CHECK(f.index.cancel_wait(key, w));
    f.index.abandon(*fetch.busy);
    f.index.abandon(*other.busy);
}

TEST_CASE("watchers learn every step of a fetch", "[coalescing]") {
    cache_fixture f;
    auto r = f.lookup(key_of("/"), 10);
    counting_waiter w;
    auto seen = r.busy->progress();
    CHECK(r.busy->watch(w, seen));
    r.busy->advance(cache::object_state::request_sent);
    CHECK(w.woken == 1);
    CHECK_FALSE(r.busy->watch(w, seen));
    CHECK(r.busy->watch(w, r.busy->progress()));
    r.busy->advance(cache::object_state::created); // never back
    CHECK(w.woken == 1);
    f.index.abandon(*r.busy);
    CHECK(w.woken == 2);
    CHECK_FALSE(r.busy->watch(w, r.busy->progress()));
}
