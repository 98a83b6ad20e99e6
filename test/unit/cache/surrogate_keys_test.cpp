#include "fixture.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::test;
using cache::lookup_verdict;

namespace {

struct keyed_fixture : cache_fixture {
    keyed_fixture() { index.keys().count_users(1); }

    /// A cached object that is found by the keys in `list`.
    cache::object_ref keep(std::string_view path, std::string_view list, double ttl = 100, double grace = 50) {
        const base::digest key = key_of(path);
        cache::lookup_request r = request(key, 10);
        r.always_miss = true;
        cache::object_ref o = index.lookup(r).busy;
        REQUIRE(prepare(*o, "200\n"));
        o->set_timing({10, ttl, grace, 0});
        index.unbusy(*o, list);
        o->advance(cache::object_state::streaming);
        cache::body_writer writer(index, o);
        REQUIRE(writer.append("body"));
        writer.finish(10);
        return o;
    }
    lookup_verdict verdict(std::string_view path, double now = 20) {
        cache::lookup_result r = lookup(key_of(path), now);
        if (r.busy) {
            index.abandon(*r.busy);
        }
        return r.verdict;
    }
};

struct counting_watcher final : cache::object_watcher {
    bool curious = true;
    int came = 0;
    int went = 0;
    bool wanted() const noexcept override { return curious; }
    void stored(const cache::object&) noexcept override { ++came; }
    void removed(const cache::object&) noexcept override { ++went; }
};

} // namespace

TEST_CASE("a purge by key takes all that carry it, and nothing else", "[keys]") {
    keyed_fixture f;
    f.keep("/a", "article-1 list");
    f.keep("/b", "article-2, list");
    f.keep("/c", "article-3");
    CHECK(f.index.purge_surrogate_key("list", 20, false) == 2);
    CHECK(f.verdict("/a") == lookup_verdict::miss);
    CHECK(f.verdict("/b") == lookup_verdict::miss);
    CHECK(f.verdict("/c") == lookup_verdict::hit);
    CHECK(f.index.purge_surrogate_key("list", 20, false) == 0);
    CHECK(f.index.purge_surrogate_key("article-1", 20, false) == 0);
    CHECK(f.counters.n_obj_purged == 2);
}

TEST_CASE("a soft purge by key leaves grace", "[keys]") {
    keyed_fixture f;
    f.keep("/a", "k");
    CHECK(f.index.purge_surrogate_key("k", 20, true) == 1);
    CHECK(f.verdict("/a", 21) == lookup_verdict::hit_grace);
    CHECK(f.index.purge_surrogate_key("k", 22, false) == 1);
    CHECK(f.verdict("/a", 23) == lookup_verdict::miss);
}

TEST_CASE("objects that leave by any way leave their keys", "[keys]") {
    keyed_fixture f;
    f.keep("/expired", "k", 1, 0);
    auto killed = f.keep("/killed", "k k other");
    f.keep("/purged", "k");
    f.keep("/stays", "k");
    CHECK(f.index.expire(15).expired == 1);
    f.index.kill(*killed);
    CHECK(f.index.purge(key_of("/purged"), 15) == 1);
    CHECK(f.index.keys().find("k").size() == 1);
    CHECK(f.index.keys().find("other").empty());
    CHECK(f.index.purge_surrogate_key("k", 20, false) == 1);
}

TEST_CASE("an object killed while it was fetched takes no key with it", "[keys]") {
    keyed_fixture f;
    cache::object_ref o = f.lookup(key_of("/"), 10).busy;
    REQUIRE(f.prepare(*o, "200\n"));
    f.index.kill(*o);
    o->set_timing({10, 100, 0, 0});
    f.index.unbusy(*o, "k");
    CHECK(f.index.keys().find("k").empty());
    f.index.abandon(*o);
}

TEST_CASE("the last user takes all keys along", "[keys]") {
    keyed_fixture f;
    f.index.keys().count_users(1);
    f.keep("/a", "k");
    f.index.keys().count_users(-1);
    CHECK(f.index.keys().find("k").size() == 1);
    f.index.keys().count_users(-1);
    CHECK_FALSE(f.index.keys().wanted());
    CHECK(f.index.keys().find("k").empty());
    CHECK(f.index.purge(key_of("/a"), 20) == 1);
}

TEST_CASE("who watches learns of objects that were seen and of no others", "[watcher]") {
    counting_watcher w;
    cache_fixture f;
    f.index.set_object_watcher(&w);
    f.store(key_of("/a"), 10, 10);
    auto o = f.store(key_of("/b"), 10, 100);
    cache::object_ref never = f.lookup(key_of("/c"), 10).busy;
    f.index.abandon(*never);
    CHECK(w.came == 2);
    CHECK(w.went == 0);
    f.index.expire(30);
    CHECK(w.went == 1);
    w.curious = false;
    f.index.kill(*o);
    CHECK(w.went == 1);
}

TEST_CASE("a lookup can be told what to take", "[lookup]") {
    cache_fixture f;
    const auto key = key_of("/");
    f.store(key, 10, 1, "first");
    f.store(key, 11, 1, "second");
    auto ask = [&](cache::lookup_pick pick) {
        cache::lookup_request r = f.request(key, 50);
        r.pick = pick;
        return f.index.lookup(r);
    };
    auto body_of = [](const cache::lookup_result& r) {
        cache::body_cursor cursor(r.object);
        return drain(cursor);
    };
    CHECK(body_of(ask(cache::lookup_pick::newest)) == "second");
    CHECK(body_of(ask(cache::lookup_pick::oldest)) == "first");
    const cache::lookup_result none = ask(cache::lookup_pick::miss);
    CHECK(none.verdict == lookup_verdict::miss);
    f.index.abandon(*none.busy);
}
