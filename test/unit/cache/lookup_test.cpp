#include "fixture.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::test;
using cache::lookup_verdict;
using cache::object_flag;

TEST_CASE("a miss gives a busy object, and what it becomes is hit", "[lookup]") {
    cache_fixture f;
    const auto key = key_of("/");
    auto first = f.lookup(key, 10);
    CHECK(first.verdict == lookup_verdict::miss);
    REQUIRE(first.busy);
    CHECK_FALSE(first.object);
    REQUIRE(f.fill(first.busy, 10, 100));
    auto second = f.lookup(key, 11);
    CHECK(second.verdict == lookup_verdict::hit);
    CHECK(second.object.get() == first.busy.get());
    CHECK_FALSE(second.busy);
    CHECK(second.object->hits() == 1);
    CHECK(f.lookup(key_of("/other"), 11).verdict == lookup_verdict::miss);
}

TEST_CASE("always_miss fetches beside a fresh object, whose successor is then hit", "[lookup]") {
    cache_fixture f;
    const auto key = key_of("/");
    auto old = f.store(key, 10, 100);
    auto fresh = f.store(key, 20, 100);
    CHECK(f.lookup(key, 21).object.get() == fresh.get());
    f.index.kill(*fresh);
    CHECK(f.lookup(key, 21).object.get() == old.get());
}

TEST_CASE("a stale object serves within grace, with one background fetch", "[lookup]") {
    cache_fixture f;
    const auto key = key_of("/");
    f.store(key, 10, 10, "body", "200\n", {}, 10);
    auto r = f.lookup(key, 25);
    CHECK(r.verdict == lookup_verdict::hit_grace);
    REQUIRE(r.object);
    REQUIRE(r.busy);
    auto other = f.lookup(key, 25);
    CHECK(other.verdict == lookup_verdict::hit_grace);
    CHECK(other.object.get() == r.object.get());
    CHECK_FALSE(other.busy);
    REQUIRE(f.fill(r.busy, 25, 10));
    CHECK(f.lookup(key, 26).object.get() == r.busy.get());
}

TEST_CASE("beyond grace the object is kept for revalidation", "[lookup]") {
    cache_fixture f;
    const auto key = key_of("/");
    auto old = f.store(key, 10, 10, "body", "200\n", {}, 0, 60);
    auto r = f.lookup(key, 30);
    CHECK(r.verdict == lookup_verdict::miss);
    CHECK(r.object.get() == old.get());
    CHECK(r.busy);
    f.index.abandon(*r.busy);
}

TEST_CASE("the request limits ttl and grace", "[lookup]") {
    cache_fixture f;
    const auto key = key_of("/");
    f.store(key, 10, 100, "body", "200\n", {}, 100);
    auto ask = f.request(key, 30);
    ask.ttl_limit = 5;
    // Fresh by its own ttl, but not for this request: neither hit nor stale.
    auto r = f.index.lookup(ask);
    CHECK(r.verdict == lookup_verdict::miss);
    CHECK_FALSE(r.object);
    f.index.abandon(*r.busy);

    ask = f.request(key, 120);
    ask.grace_limit = 5;
    r = f.index.lookup(ask);
    CHECK(r.verdict == lookup_verdict::miss);
    CHECK(r.object);
    f.index.abandon(*r.busy);
    ask.grace_limit = 50;
    r = f.index.lookup(ask);
    CHECK(r.verdict == lookup_verdict::hit_grace);
    f.index.abandon(*r.busy);
}

TEST_CASE("markers tell to miss or to pass, with what is left of them", "[lookup]") {
    cache_fixture f;
    const auto key = key_of("/");
    auto r = f.lookup(key, 10);
    r.busy->set(object_flag::hit_for_miss);
    r.busy->set_vxid(1002);
    REQUIRE(f.fill(r.busy, 10, 120, ""));
    auto next = f.lookup(key, 40);
    CHECK(next.verdict == lookup_verdict::hit_miss);
    CHECK(next.marker_vxid == 1002);
    CHECK(next.marker_ttl == 90);
    CHECK(next.busy);
    CHECK(next.object.get() == r.busy.get());
    // The marker keeps others from waiting.
    auto third = f.lookup(key, 40);
    CHECK(third.verdict == lookup_verdict::hit_miss);
    CHECK(third.busy.get() != next.busy.get());
    third.busy->set(object_flag::hit_for_miss);
    third.busy->set(object_flag::hit_for_pass);
    third.busy->set_vxid(7);
    REQUIRE(f.fill(third.busy, 40, 5, ""));
    auto fourth = f.lookup(key, 41);
    CHECK(fourth.verdict == lookup_verdict::hit_pass);
    CHECK(fourth.marker_vxid == 7);
    CHECK(fourth.marker_ttl == 4);
    CHECK_FALSE(fourth.object);
    CHECK_FALSE(fourth.busy);
    f.index.abandon(*next.busy);
}

TEST_CASE("an expired marker still tells not to wait", "[lookup]") {
    cache_fixture f;
    const auto key = key_of("/");
    auto r = f.lookup(key, 10);
    r.busy->set(object_flag::hit_for_miss);
    REQUIRE(f.fill(r.busy, 10, 5, "", "200\n", {}, 100));
    auto next = f.lookup(key, 20);
    CHECK(next.verdict == lookup_verdict::hit_miss);
    CHECK_FALSE(next.object);
    CHECK(next.marker_ttl == -5);
    f.index.abandon(*next.busy);
}

TEST_CASE("variants are told apart", "[lookup]") {
    cache_fixture f;
    const auto key = key_of("/");
    text_vary gzip("gzip"), plain("plain"), br("br");
    auto a = f.store(key, 10, 100, "a", "200\n", "gzip");
    auto b = f.store(key, 10, 100, "b", "200\n", "plain");
    CHECK(f.lookup(key, 11, &gzip).object.get() == a.get());
    CHECK(f.lookup(key, 11, &plain).object.get() == b.get());
    auto none = f.lookup(key, 11, &br);
    CHECK(none.verdict == lookup_verdict::miss);
    CHECK(none.variants_skipped == 2);
    f.index.abandon(*none.busy);
    auto ask = f.request(key, 11);
    ask.vary = &br;
    ask.ignore_vary = true;
    CHECK(f.index.lookup(ask).object.get() == b.get());
}

TEST_CASE("an object without ttl is never found", "[lookup]") {
    cache_fixture f;
    const auto key = key_of("/");
    f.store(key, 10, 0, "body", "200\n", {}, 100, 100);
    auto r = f.lookup(key, 10);
    CHECK(r.verdict == lookup_verdict::miss);
    CHECK_FALSE(r.object);
    f.index.abandon(*r.busy);
}

TEST_CASE("the newest of several stale objects is taken", "[lookup]") {
    cache_fixture f;
    const auto key = key_of("/");
    auto newer = f.store(key, 20, 10, "new", "200\n", {}, 100);
    f.store(key, 10, 10, "old", "200\n", {}, 100);
    auto r = f.lookup(key, 50);
    CHECK(r.object.get() == newer.get());
    f.index.abandon(*r.busy);
}

TEST_CASE("a private object is not found and needs no key", "[lookup]") {
    cache_fixture f;
    auto o = f.index.make_private();
    CHECK(f.counters.n_objectcore == 1);
    CHECK(f.counters.n_objecthead == 0);
    REQUIRE(f.index.prepare(*o, f.storages.transient(), 3, 0));
    f.index.unbusy(*o);
    CHECK_FALSE(o->has(object_flag::busy));
    o.reset();
    CHECK(f.counters.n_objectcore == 0);
}
