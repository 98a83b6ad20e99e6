#include "fixture.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::test;
using cache::lookup_verdict;

TEST_CASE("objects leave when ttl, grace and keep are over", "[upkeep]") {
    cache_fixture f;
    f.store(key_of("/a"), 10, 10);
    f.store(key_of("/b"), 10, 10, "b", "200\n", {}, 10, 10);
    CHECK(f.counters.n_object == 2);
    auto report = f.index.expire(15);
    CHECK(report.expired == 0);
    CHECK(report.next == 20);
    report = f.index.expire(20);
    CHECK(report.expired == 1);
    CHECK(report.next == 30); // comes by at least every ten seconds
    CHECK(f.index.expire(39.9).expired == 0);
    CHECK(f.index.expire(40).expired == 1);
    CHECK(f.counters.n_expired == 2);
    CHECK(f.counters.n_object == 0);
    CHECK(f.counters.n_objecthead == 0);
    CHECK(f.s0.used_space() == 0);
}

TEST_CASE("an earlier deadline calls the housekeeper", "[upkeep]") {
    cache_fixture f;
    counting_housekeeper h;
    f.index.set_housekeeper(&h);
    f.index.expire(0);
    f.store(key_of("/a"), 10, 100);
    CHECK(h.kicks == 0);
    f.store(key_of("/b"), 1, 2);
    CHECK(h.kicks == 1);
}

TEST_CASE("expiry tells what it does to whom it is told to", "[upkeep]") {
    cache_fixture f;
    kept_expiry_log log;
    f.index.set_expiry_log(&log);
    auto o = f.index.lookup(f.request(key_of("/"), 10)).busy;
    o->set_vxid(77);
    REQUIRE(f.fill(o, 10, 10));
    f.index.expire(12);
    f.index.expire(25);
    REQUIRE(log.lines.size() == 4);
    CHECK(log.lines[0].starts_with("EXP_When p=0x"));
    CHECK(log.lines[0].find(" e=20.000000 f=0x") != std::string::npos);
    CHECK(log.lines[1].find("EXP_expire p=0x") == 0);
    CHECK(log.lines[1].find(" e=8.000000 f=0x") != std::string::npos);
    CHECK(log.lines[3] == "EXP_Expired x=77 t=-5");
}

TEST_CASE("timers of a cached object can be changed", "[upkeep]") {
    cache_fixture f;
    const auto key = key_of("/");
    auto o = f.store(key, 10, 100, "body", "200\n", {}, 20, 30);
    f.index.rearm(*o, 50, 5, cache::unchanged, cache::unchanged);
    CHECK(o->timing().ttl == 45);
    CHECK(o->timing().grace == 20);
    CHECK(o->timing().expires() == 105);
    CHECK(f.index.expire(104).expired == 0);
    f.index.rearm(*o, 60, cache::unchanged, 0, 0);
    CHECK(f.index.expire(61).expired == 1);
    f.index.rearm(*o, 60, 100, 100, 100); // no longer in the index
    CHECK(o->timing().ttl == 45);
}

TEST_CASE("purge takes every variant", "[upkeep]") {
    cache_fixture f;
    const auto key = key_of("/");
    f.store(key, 10, 100, "a", "200\n", "gzip");
    f.store(key, 10, 100, "b", "200\n", "plain");
    f.store(key_of("/other"), 10, 100);
    CHECK(f.index.purge(key, 20) == 2);
    CHECK(f.counters.n_purges == 1);
    CHECK(f.counters.n_obj_purged == 2);
    CHECK(f.counters.n_object == 1);
    CHECK(f.index.purge(key_of("/none"), 20) == 0);
    auto r = f.lookup(key, 20);
    CHECK(r.verdict == lookup_verdict::miss);
    // A fetch under way is not touched.
    CHECK(f.index.purge(key, 20) == 0);
    CHECK(f.fill(r.busy, 20, 10));
    CHECK(f.lookup(key, 21).verdict == lookup_verdict::hit);
}

TEST_CASE("a soft purge leaves grace", "[upkeep]") {
    cache_fixture f;
    const auto key = key_of("/");
    f.store(key, 10, 100, "a", "200\n", {}, 1000, 50);
    CHECK(f.index.purge(key, 20, 0, 30, cache::unchanged) == 1);
    auto r = f.lookup(key, 21);
    CHECK(r.verdict == lookup_verdict::hit_grace);
    CHECK(r.object->has(cache::object_flag::purged));
    f.index.abandon(*r.busy);
    CHECK(f.index.expire(99).expired == 0);
    CHECK(f.index.expire(100).expired == 1);
}

TEST_CASE("a killed object is gone at once, but who reads it goes on", "[upkeep]") {
    cache_fixture f;
    const auto key = key_of("/");
    auto o = f.store(key, 10, 100, "still here");
    f.index.kill(*o);
    f.index.kill(*o);
    auto r = f.lookup(key, 11);
    CHECK(r.verdict == lookup_verdict::miss);
    f.index.abandon(*r.busy);
    cache::body_cursor cursor(o);
    CHECK(drain(cursor) == "still here");
}

TEST_CASE("an object killed while its fetch runs never shows", "[upkeep]") {
    cache_fixture f;
    const auto key = key_of("/");
    counting_waiter w;
    auto r = f.lookup(key, 10);
    f.lookup(key, 10, nullptr, &w);
    f.index.kill(*r.busy);
    CHECK(w.woken == 1);
    REQUIRE(f.fill(r.busy, 10, 100));
    CHECK(f.lookup(key, 11).verdict == lookup_verdict::miss);
}

TEST_CASE("a full storage evicts the least recently used", "[upkeep]") {
    cache_fixture f(100'000, 1);
    const std::string body(9'000, 'x');
    for (int i = 0; i < 10; ++i) {
        REQUIRE(f.store(key_of("/" + std::to_string(i)), 10 + i, 1000, body));
    }
    CHECK(f.counters.n_lru_nuked == 0);
    // /0 is used again, late enough to count.
    CHECK(f.lookup(key_of("/0"), 30).verdict == lookup_verdict::hit);
    CHECK(f.counters.n_lru_moved == 1);
    CHECK(f.lookup(key_of("/0"), 31).verdict == lookup_verdict::hit);
    CHECK(f.counters.n_lru_moved == 1);
    REQUIRE(f.store(key_of("/10"), 40, 1000, body));
    CHECK(f.counters.n_lru_nuked == 1);
    CHECK(f.lookup(key_of("/0"), 41).verdict == lookup_verdict::hit);
    auto gone = f.lookup(key_of("/1"), 41);
    CHECK(gone.verdict == lookup_verdict::miss);
    f.index.abandon(*gone.busy);
    CHECK(f.s0.used_space() <= 100'000);
}

TEST_CASE("eviction finds the oldest over all shards and skips what is in use", "[upkeep]") {
    cache_fixture f(1u << 20, 16);
    std::vector<cache::object_ref> held;
    for (int i = 0; i < 50; ++i) {
        auto o = f.store(key_of("/" + std::to_string(i)), 10 + i, 1000);
        if (i < 5) {
            held.push_back(o);
        }
    }
    for (int i = 5; i < 20; ++i) {
        REQUIRE(f.index.evict_one(f.s0));
    }
    int left = 0;
    for (int i = 0; i < 50; ++i) {
        auto r = f.lookup(key_of("/" + std::to_string(i)), 100);
        left += r.verdict == lookup_verdict::hit ? 1 : 0;
        if (i < 5 || i >= 30) {
            CHECK(r.verdict == lookup_verdict::hit);
        }
        if (r.busy) {
            f.index.abandon(*r.busy);
        }
    }
    CHECK(left == 35);
    int more = 0;
    while (f.index.evict_one(f.s0)) {
        ++more;
    }
    CHECK(more == 30);
    held.clear();
    CHECK(f.index.evict_one(f.s0));
}

TEST_CASE("a fetch gives up after nuke_limit evictions", "[upkeep]") {
    cache_fixture f(200'000, 4);
    f.set("nuke_limit", "3");
    for (int i = 0; f.counters.n_lru_nuked == 0; ++i) {
        REQUIRE(f.store(key_of("/" + std::to_string(i)), 10, 1000, "small"));
    }
    CHECK_FALSE(f.store(key_of("/big"), 10, 1000, std::string(100'000, 'x')));
    CHECK(f.counters.n_lru_limited >= 1);
    CHECK(f.s0.used_space() <= 200'000);
    CHECK(f.lookup(key_of("/big"), 11).verdict == lookup_verdict::miss);
}

TEST_CASE("an object larger than its storage fails without harm", "[upkeep]") {
    cache_fixture f(100'000, 4);
    CHECK_FALSE(f.store(key_of("/big"), 10, 1000, std::string(200'000, 'x')));
    CHECK(f.s0.used_space() == 0);
}
