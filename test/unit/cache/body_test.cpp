#include "fixture.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::test;
using cache::cursor_status;
using cache::object_state;

namespace {

cache::object_ref private_object(cache_fixture& f) {
    cache::object_ref o = f.index.make_private();
    REQUIRE(f.index.prepare(*o, f.storages.transient(), 4, 0));
    f.index.unbusy(*o);
    return o;
}

} // namespace

TEST_CASE("a finished body reads back whole", "[body]") {
    cache_fixture f;
    const std::string text(50'000, 'x');
    auto o = f.store(key_of("/"), 10, 100, text);
    REQUIRE(o);
    CHECK(o->state() == object_state::finished);
    CHECK(o->length() == text.size());
    cache::body_cursor cursor(o);
    CHECK(drain(cursor) == text);
    std::span<const char> part[1];
    CHECK(cursor.peek(part).status == cursor_status::end);
}

TEST_CASE("an empty body ends at once", "[body]") {
    cache_fixture f;
    auto o = f.store(key_of("/"), 10, 100, "");
    cache::body_cursor cursor(o);
    std::span<const char> part[1];
    CHECK(cursor.peek(part).status == cursor_status::end);
}

TEST_CASE("a reader follows a growing body and is woken", "[body]") {
    cache_fixture f;
    auto o = private_object(f);
    o->advance(object_state::streaming);
    cache::body_writer writer(f.index, o);
    cache::body_cursor cursor(o);
    counting_waiter w;
    std::span<const char> part[2];

    CHECK(cursor.peek(part, &w).status == cursor_status::pending);
    REQUIRE(writer.append("one"));
    CHECK(w.woken == 1);
    auto read = cursor.peek(part, &w);
    REQUIRE(read.status == cursor_status::data);
    CHECK(std::string_view(part[0].data(), part[0].size()) == "one");
    CHECK_FALSE(read.last);
    cursor.advance(read.bytes);

    CHECK(cursor.peek(part, &w).status == cursor_status::pending);
    CHECK(o->unwatch(w));
    CHECK_FALSE(o->unwatch(w));
    REQUIRE(writer.append("two"));
    CHECK(w.woken == 1);
    writer.finish(1);
    read = cursor.peek(part, &w);
    CHECK(read.status == cursor_status::data);
    CHECK(read.last);
    cursor.advance(read.bytes);
    CHECK(cursor.peek(part, &w).status == cursor_status::end);
}

TEST_CASE("a body that fails tells its readers after the bytes that came", "[body]") {
    cache_fixture f;
    auto o = private_object(f);
    cache::body_cursor cursor(o);
    std::span<const char> part[1];
    counting_waiter w;
    {
        cache::body_writer writer(f.index, o);
        REQUIRE(writer.append("half"));
        cursor.advance(cursor.peek(part).bytes);
        CHECK(cursor.peek(part, &w).status == cursor_status::pending);
    }
    CHECK(w.woken == 1);
    CHECK(cursor.peek(part).status == cursor_status::failed);
    CHECK(o->has(cache::object_flag::failed));
}

TEST_CASE("several segments come in one gathered read, and a range starts anywhere", "[body]") {
    cache_fixture f;
    f.set("fetch_chunksize", "4k");
    auto o = private_object(f);
    cache::body_writer writer(f.index, o);
    std::string text;
    for (int i = 0; i < 5; ++i) {
        const auto room = writer.reserve(0);
        REQUIRE(room.size() >= 4096);
        std::memset(room.data(), 'a' + i, 4096);
        writer.commit(4096);
        text.append(4096, static_cast<char>('a' + i));
    }
    writer.finish(1);
    std::span<const char> parts[8];
    cache::body_cursor cursor(o);
    auto read = cursor.peek(parts);
    CHECK(read.count > 1);
    CHECK(read.bytes == text.size());
    CHECK(read.last);
    read = cursor.peek(parts, nullptr, 5000);
    CHECK(read.bytes == 5000);
    CHECK_FALSE(read.last);
    REQUIRE(cursor.skip_to(10'000));
    CHECK(drain(cursor) == text.substr(10'000));
}

TEST_CASE("skipping beyond what is there waits, and past the end ends", "[body]") {
    cache_fixture f;
    auto o = private_object(f);
    cache::body_writer writer(f.index, o);
    cache::body_cursor cursor(o);
    std::span<const char> part[1];
    REQUIRE(writer.append("0123456789"));
    CHECK_FALSE(cursor.skip_to(15));
    CHECK(cursor.peek(part).status == cursor_status::pending);
    REQUIRE(writer.append("0123456789"));
    CHECK(cursor.skip_to(15));
    CHECK(cursor.peek(part).bytes == 5);
    CHECK_FALSE(cursor.skip_to(100));
    writer.finish(1);
    CHECK_FALSE(cursor.skip_to(100));
    CHECK(cursor.peek(part).status == cursor_status::end);
}

TEST_CASE("surplus room of an unknown length is given back, old readers notwithstanding", "[body]") {
    cache_fixture f;
    auto o = f.index.lookup(f.request(key_of("/"), 10)).busy;
    REQUIRE(f.prepare(*o, "200\n"));
    o->set_timing({10, 100, 0, 0});
    f.index.unbusy(*o);
    o->advance(object_state::streaming);
    const auto before = f.s0.used_space();
    cache::body_writer writer(f.index, o);
    auto room = writer.reserve(0);
    REQUIRE(room.size() >= 16'384);
    std::memcpy(room.data(), "short", 5);
    writer.commit(5);
    std::string early;
    {
        cache::body_cursor cursor(o);
        std::span<const char> part[1];
        REQUIRE(cursor.peek(part).bytes == 5);
        writer.finish(10);
        early.assign(part[0].data(), part[0].size()); // still readable
        CHECK(f.s0.used_space() - before > 16'000);
    }
    CHECK(early == "short");
    CHECK(f.s0.used_space() - before < 200);
    cache::body_cursor late(o);
    CHECK(drain(late) == "short");
}

TEST_CASE("a consuming reader frees what it has passed and lets the fetch go on", "[body]") {
    cache_fixture f;
    f.set("fetch_chunksize", "4k");
    auto& transient = f.storages.transient();
    auto o = private_object(f);
    cache::body_writer writer(f.index, o);
    cache::body_cursor cursor(o, cache::body_cursor::mode::consume);
    counting_waiter fetch;
    const auto before = transient.used_space();
    std::span<const char> part[1];
    std::uint64_t most = 0;
    for (int i = 0; i < 100; ++i) {
        const auto room = writer.reserve(4096);
        std::memset(room.data(), 'x', room.size());
        writer.commit(room.size());
        CHECK(o->watch_drain(fetch, 1024));
        cursor.advance(cursor.peek(part).bytes);
        CHECK(fetch.woken == i + 1);
        CHECK_FALSE(o->watch_drain(fetch, 1024));
        most = std::max(most, transient.used_space() - before);
    }
    CHECK(most < 3 * 4200);
    writer.finish(1);
    CHECK(cursor.peek(part).status == cursor_status::end);
}

TEST_CASE("a long private body comes in segments of moderate size", "[body]") {
    cache_fixture f;
    auto o = private_object(f);
    cache::body_writer writer(f.index, o);
    CHECK(writer.reserve(1u << 30).size() <= 256 * 1024);
    writer.finish(1);
}

TEST_CASE("cancelling a private fetch wakes it when it waits for its reader", "[body]") {
    cache_fixture f;
    auto o = private_object(f);
    cache::body_writer writer(f.index, o);
    counting_waiter fetch;
    REQUIRE(writer.append("text"));
    REQUIRE(o->watch_drain(fetch, 0));
    f.index.cancel(*o);
    CHECK(fetch.woken == 1);
    CHECK(o->has(cache::object_flag::cancel));
    CHECK_FALSE(o->watch_drain(fetch, 0));
}

TEST_CASE("an object that was withdrawn is prepared anew", "[body]") {
    cache_fixture f;
    const auto before = f.s0.used_space();
    auto o = f.index.lookup(f.request(key_of("/"), 10)).busy;
    REQUIRE(f.prepare(*o, "200\n"));
    {
        cache::body_writer writer(f.index, o);
        REQUIRE(writer.append("not to be seen"));
        writer.drop();
    }
    f.index.withdraw(*o);
    CHECK(f.s0.used_space() == before);
    REQUIRE(f.fill(o, 10, 5, "error", "503\n"));
    cache::body_cursor cursor(o);
    CHECK(drain(cursor) == "error");
    CHECK(o->head() == "503\n");
}

TEST_CASE("attributes are part of the object and of its storage", "[body]") {
    cache_fixture f;
    const auto before = f.s0.used_space();
    {
        auto o = f.index.lookup(f.request(key_of("/"), 10)).busy;
        REQUIRE(f.prepare(*o, "200\n", "spec"));
        REQUIRE(f.index.attach_esi(*o, "esi data"));
        REQUIRE(f.index.attach_gzip(*o, {1, 2, 3, 4, 5}));
        CHECK(o->vary() == "spec");
        CHECK(o->esi_data() == "esi data");
        CHECK(o->has(cache::object_flag::esi));
        CHECK(o->gzip()->plain_length == 5);
        CHECK(f.counters.n_object == 1);
        f.index.abandon(*o);
    }
    CHECK(f.s0.used_space() == before);
    CHECK(f.counters.n_object == 0);
    CHECK(f.counters.n_objectcore == 0);
    CHECK(f.counters.n_objecthead == 0);
}
