#include "fixture.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::test;
using cache::lookup_verdict;

namespace {

struct kept_log final : cache::ban_log {
    std::vector<std::string> lines;
    void banned(std::string_view text) noexcept override { lines.emplace_back(text); }
};

bool cached(cache_fixture& f, std::string_view path, double now = 20) {
    const auto key = key_of(path);
    text_subject subject{std::string(path)};
    auto r = f.request(key, now);
    r.subject = &subject;
    auto result = f.index.lookup(r);
    if (result.busy) {
        f.index.abandon(*result.busy);
    }
    return result.verdict == lookup_verdict::hit;
}

struct killer_of final : cache::object_killer {
    cache::index& index;
    explicit killer_of(cache::index& i) : index(i) {}
    void kill(cache::object& o) noexcept override { index.kill(o); }
};

// Lets the lurker work until it has nothing more to do.
void lurk(cache_fixture& f, double now, cache::ban_log* log = nullptr) {
    killer_of killer(f.index);
    const double pause = f.params.ban_lurker_sleep();
    while (f.bans.lurker_step(now, killer, log) == pause) {
    }
}

} // namespace

TEST_CASE("a ban takes out older objects at lookup", "[ban_list]") {
    cache_fixture f;
    f.store(key_of("/foo"), 10, 100);
    f.store(key_of("/bar"), 10, 100);
    CHECK(f.bans.add_text("req.url ~ foo", 11).empty());
    f.store(key_of("/foo2"), 12, 100);
    CHECK_FALSE(cached(f, "/foo"));
    CHECK(cached(f, "/bar"));
    CHECK(cached(f, "/foo2"));
    CHECK(f.counters.bans == 2);
    CHECK(f.counters.bans_added == 2);
    CHECK(f.counters.bans_req == 1);
    CHECK(f.counters.bans_obj == 0);
    CHECK(f.counters.bans_tested == 2);
    CHECK(f.counters.bans_tests_tested == 2);
    CHECK(f.counters.bans_obj_killed == 1);
    // Tested once only.
    CHECK(cached(f, "/bar"));
    CHECK(f.counters.bans_tested == 2);
}

TEST_CASE("a lookup that kills tells its request", "[ban_list]") {
    cache_fixture f;
    f.store(key_of("/foo"), 10, 100);
    f.bans.add_text("req.url ~ foo", 11);
    const auto key = key_of("/foo");
    text_subject subject("/foo");
    auto ask = f.request(key, 12);
    ask.subject = &subject;
    auto r = f.index.lookup(ask);
    CHECK(r.verdict == lookup_verdict::miss);
    CHECK_FALSE(r.object);
    CHECK(subject.killed == 1);
    f.index.abandon(*r.busy);
}

TEST_CASE("errors of bans reach the user", "[ban_list]") {
    cache_fixture f;
    CHECK(f.bans.add_text("nonsense", 1) == "Expected comparison operator.");
    const std::string_view words[] = {"req.url", "~", "x", "&&", "obj.status", "==", "200"};
    CHECK(f.bans.add_words(words, 1).empty());
    CHECK(f.counters.bans == 2);
}

TEST_CASE("an equal newer ban completes the older one", "[ban_list]") {
    cache_fixture f;
    f.bans.add_text("req.url ~ foo", 11);
    f.bans.add_text("req.url ~ foo", 12);
    CHECK(f.counters.bans_dups == 1);
    CHECK(f.counters.bans_completed == 2); // the placeholder too
    f.bans.add_text("obj.age > 1s", 13);
    f.bans.add_text("obj.age > 1s", 14);
    CHECK(f.counters.bans_dups == 1);
    f.set("ban_dups", "off");
    f.bans.add_text("req.url ~ foo", 15);
    CHECK(f.counters.bans_dups == 1);
}

TEST_CASE("ban.list shows the newest first", "[ban_list]") {
    cache_fixture f;
    f.store(key_of("/foo"), 10, 100);
    f.bans.add_text("req.url ~ foo && obj.status == 200", 11.5);
    CHECK(f.bans.list_text() == "Present bans:\n"
                                " 11.500000     0 -  req.url ~ foo && obj.status == 200\n"
                                "  1.000000     1 C  \n");
    CHECK(f.bans.list_json() == "  {\n    \"time\": 11.500000,\n    \"refs\": 0,\n    \"completed\": false,\n"
                                "    \"spec\": \"req.url ~ foo && obj.status == 200\"\n  },\n"
                                "  {\n    \"time\": 1.000000,\n    \"refs\": 1,\n    \"completed\": true,\n"
                                "    \"spec\": \"\"\n  }");
    const std::string debug = f.bans.list_text(true);
    CHECK(debug.find("-RO 0x") != std::string::npos);
    CHECK(debug.find("  oc = 0x") != std::string::npos);
}

TEST_CASE("the lurker tests objects against object bans of age", "[lurker]") {
    cache_fixture f;
    f.set("ban_lurker_age", "60");
    f.store(key_of("/red"), 10, 1000, "r", "200\nX-Tag: red\n");
    f.store(key_of("/blue"), 10, 1000, "b", "200\nX-Tag: blue\n");
    f.bans.add_text("obj.http.X-Tag == red", 100);
    lurk(f, 150);
    CHECK(f.counters.bans_lurker_tested == 0);
    kept_log log;
    lurk(f, 161, &log);
    CHECK(f.counters.bans_lurker_tested == 2);
    CHECK(f.counters.bans_lurker_tests_tested == 2);
    CHECK(f.counters.bans_lurker_obj_killed == 1);
    REQUIRE(log.lines.size() == 1);
    CHECK(log.lines[0] == "0 banned by lurker");
    CHECK(f.counters.n_object == 1);
    // The placeholder has no more objects: only the completed newest ban is left.
    CHECK(f.counters.bans == 1);
    CHECK(f.counters.bans_deleted == 1);
    CHECK(f.counters.bans_completed == 1);
    CHECK(cached(f, "/blue"));
    CHECK(f.counters.bans_tested == 0);
}

TEST_CASE("a ban on requests stays until every older object was asked for", "[lurker]") {
    cache_fixture f;
    f.store(key_of("/a"), 10, 1000, "r", "200\nX-Tag: red\n");
    f.store(key_of("/b"), 10, 1000, "b", "200\nX-Tag: blue\n");
    f.bans.add_text("req.url == /nothing", 11);
    f.bans.add_text("obj.http.X-Tag == red", 12);
    lurk(f, 1000);
    CHECK(f.counters.n_object == 1); // /a was killed although the request ban lies between
    CHECK(f.counters.bans == 3);
    CHECK(f.counters.bans_completed == 2);
    CHECK(cached(f, "/b"));
    CHECK(f.counters.bans_tests_tested == 1); // only the request ban was left to test
    lurk(f, 1000);
    CHECK(f.counters.bans == 1);
}

TEST_CASE("the lurker works in batches and can be turned off", "[lurker]") {
    cache_fixture f;
    f.set("ban_lurker_batch", "10");
    for (int i = 0; i < 25; ++i) {
        f.store(key_of("/" + std::to_string(i)), 10, 1000);
    }
    f.bans.add_text("obj.status == 200", 11);
    killer_of killer(f.index);
    f.set("ban_lurker_sleep", "0");
    CHECK(f.bans.lurker_step(1000, killer) > 40);
    CHECK(f.counters.n_object == 25);
    f.set("ban_lurker_sleep", "0.5");
    CHECK(f.bans.lurker_step(1000, killer) == 0.5);
    CHECK(f.counters.n_object == 15);
    CHECK(f.bans.lurker_step(1000, killer) == 0.5);
    CHECK(f.bans.lurker_step(1000, killer) > 40);
    CHECK(f.counters.n_object == 0);
}

TEST_CASE("the lurker says when the next ban comes of age", "[lurker]") {
    cache_fixture f;
    f.set("ban_lurker_age", "10");
    killer_of killer(f.index);
    CHECK(f.bans.lurker_step(100, killer) == Approx(49.62));
    f.bans.add_text("obj.status == 200", 100);
    CHECK(f.bans.lurker_step(104, killer) == Approx(6));
}

TEST_CASE("beyond ban_cutoff objects go untested", "[lurker]") {
    cache_fixture f;
    f.set("ban_cutoff", "2");
    f.store(key_of("/a"), 10, 1000);
    for (int i = 0; i < 4; ++i) {
        f.bans.add_text("obj.status == " + std::to_string(500 + i), 11 + i);
    }
    f.store(key_of("/b"), 20, 1000);
    kept_log log;
    lurk(f, 1000, &log);
    CHECK(f.counters.bans_lurker_obj_killed_cutoff == 1);
    REQUIRE(log.lines.size() == 1);
    CHECK(log.lines[0] == "0 killed for lurker cutoff");
    CHECK(cached(f, "/b", 30));
    CHECK_FALSE(cached(f, "/a", 30));
}

TEST_CASE("a new object ban calls the housekeeper, a request ban does not", "[lurker]") {
    cache_fixture f;
    counting_housekeeper h;
    f.bans.set_housekeeper(&h);
    f.bans.add_text("req.url ~ a", 1);
    CHECK(h.kicks == 0);
    f.bans.add_text("obj.status == 1", 1);
    CHECK(h.kicks == 1);
}

TEST_CASE("bans tell how many bytes a store would keep", "[ban_list]") {
    cache_fixture f;
    CHECK(f.counters.bans_persisted_bytes == 16);
    CHECK(f.counters.bans_persisted_fragmentation == 0);
    f.bans.add_text("obj.status == 1", 1);
    f.bans.add_text("obj.status == 1", 2);
    CHECK(f.bans.export_all().size() + f.counters.bans_persisted_fragmentation == f.counters.bans_persisted_bytes);
    lurk(f, 1000);
    CHECK(f.bans.export_all().size() + f.counters.bans_persisted_fragmentation == f.counters.bans_persisted_bytes);
}

TEST_CASE("variants are banned even when the request cannot use them, up to ban_any_variant", "[ban_list]") {
    cache_fixture f;
    const auto key = key_of("/");
    const auto ask = [&](std::string wanted) {
        text_vary vary(std::move(wanted));
        auto r = f.lookup(key, 20, &vary);
        if (r.busy) {
            f.index.abandon(*r.busy);
        }
    };
    f.store(key, 10, 100, "a", "200\n", "gzip");
    f.bans.add_text("obj.status == 200", 11);
    f.set("ban_any_variant", "0");
    ask("plain");
    CHECK(f.counters.n_object == 1);
    f.set("ban_any_variant", "100");
    ask("plain");
    CHECK(f.counters.n_object == 0);
}
