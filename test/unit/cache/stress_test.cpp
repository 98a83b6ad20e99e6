// Many threads on one cache: clients that coalesce, fetch, read growing bodies and leave; bans, purges, expiry and
// eviction at the same time. Run under TSan too.
#include "fixture.hpp"

#include <catch2/catch.hpp>
#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

using namespace clearcoat;
using namespace clearcoat::test;
using cache::lookup_verdict;

namespace {

#ifdef CLEARCOAT_SANITIZED
constexpr int rounds = 1500;
#else
constexpr int rounds = 10'000;
#endif

/// A thread that can be woken: what a coroutine is in the server.
struct sleeper final : cache::waiter {
    std::mutex mutex;
    std::condition_variable changed;
    bool awake = false;

    void wake() noexcept override {
        std::lock_guard lock(mutex);
        awake = true;
        changed.notify_one();
    }
    void sleep() {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return awake; });
        awake = false;
    }
};

struct world {
    cache_fixture f;
    std::atomic<double> now{100};
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> hits{0};
    std::atomic<std::uint64_t> wrong{0};
    std::atomic<std::uint64_t> over_budget{0};
    const std::uint64_t limit;

    explicit world(std::uint64_t bytes) : f(bytes, 8), limit(bytes) {}
};

char letter_of(std::string_view path) {
    return static_cast<char>('a' + std::hash<std::string_view>()(path) % 26);
}

std::size_t length_of(std::string_view path) {
    return std::hash<std::string_view>()(path) % 30'000;
}

void fetch(world& w, cache::object_ref o, std::string_view path, std::mt19937& random) {
    if (random() % 20 == 0 || !w.f.prepare(*o, "200\nX-Path: " + std::string(path) + "\n")) {
        w.f.index.abandon(*o);
        return;
    }
    o->set_timing({w.now, 1.0 + random() % 20, random() % 2 * 5.0, random() % 2 * 5.0});
    w.f.index.unbusy(*o);
    o->advance(cache::object_state::streaming);
    cache::body_writer writer(w.f.index, o);
    const std::string part(1000, letter_of(path));
    for (std::size_t left = length_of(path); left != 0;) {
        const std::size_t n = std::min(left, part.size());
        if (!writer.append(std::string_view(part).substr(0, n))) {
            return; // the writer fails the object
        }
        left -= n;
    }
    writer.finish(w.now);
}

void read(world& w, cache::object_ref o, std::string_view path, std::mt19937& random) {
    sleeper s;
    cache::body_cursor cursor(std::move(o));
    std::span<const char> parts[4];
    std::uint64_t total = 0;
    while (true) {
        const auto got = cursor.peek(parts, &s);
        if (got.status == cache::cursor_status::pending) {
            s.sleep();
            continue;
        }
        if (got.status == cache::cursor_status::failed) {
            return;
        }
        if (got.status == cache::cursor_status::end) {
            break;
        }
        for (std::size_t i = 0; i < got.count; ++i) {
            if (parts[i].front() != letter_of(path) || parts[i].back() != letter_of(path)) {
                ++w.wrong;
            }
        }
        total += got.bytes;
        cursor.advance(got.bytes);
        if (random() % 50 == 0) {
            return; // the client went away
        }
    }
    if (total != length_of(path)) {
        ++w.wrong;
    }
}

void client(world& w, unsigned seed) {
    std::mt19937 random(seed);
    sleeper s;
    for (int i = 0; i < rounds; ++i) {
        const std::string path = "/" + std::to_string(random() % 150);
        const auto key = key_of(path);
        const text_subject subject(path);
        cache::lookup_request ask = w.f.request(key, w.now);
        ask.subject = &subject;
        ask.waiting = &s;
        while (true) {
            auto r = w.f.index.lookup(ask);
            if (r.verdict == lookup_verdict::busy) {
                if (random() % 4 == 0 && w.f.index.cancel_wait(key, s)) {
                    break;
                }
                s.sleep();
                continue;
            }
            if (r.busy) {
                fetch(w, r.busy, path, random);
            }
            if (r.verdict == lookup_verdict::hit || r.verdict == lookup_verdict::hit_grace) {
                ++w.hits;
                read(w, r.object, path, random);
            } else if (r.busy) {
                read(w, r.busy, path, random);
            }
            break;
        }
        if (w.f.s0.used_space() > w.limit) {
            ++w.over_budget;
        }
    }
}

void disturb(world& w) {
    std::mt19937 random(99);
    while (!w.stop) {
        w.now = w.now + 0.05;
        switch (random() % 4) {
        case 0:
            w.f.bans.add_text("req.url == /" + std::to_string(random() % 150), w.now);
            break;
        case 1:
            w.f.bans.add_text("obj.http.X-Path == /" + std::to_string(random() % 150) + " && obj.age > 1s", w.now);
            break;
        case 2:
            w.f.index.purge(key_of("/" + std::to_string(random() % 150)), w.now, 0, random() % 2);
            break;
        default:
            static_cast<void>(w.f.bans.list_text(true));
            break;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
}

struct index_killer final : cache::object_killer {
    cache::index& index;
    explicit index_killer(cache::index& i) : index(i) {}
    void kill(cache::object& o) noexcept override { index.kill(o); }
};

void keep_house(world& w) {
    index_killer killer(w.f.index);
    while (!w.stop) {
        w.f.index.expire(w.now);
        w.f.bans.lurker_step(w.now, killer);
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
}

void run(std::uint64_t budget) {
    world w(budget);
    w.f.set("ban_lurker_age", "0");
    w.f.set("ban_lurker_sleep", "0.01");
    w.f.set("lru_interval", "0");
    std::thread housekeeping([&] { keep_house(w); });
    std::thread trouble([&] { disturb(w); });
    std::vector<std::thread> clients;
    for (unsigned i = 0; i < 4; ++i) {
        clients.emplace_back([&w, i] { client(w, i); });
    }
    for (auto& t : clients) {
        t.join();
    }
    w.stop = true;
    housekeeping.join();
    trouble.join();
    CHECK(w.wrong == 0);
    CHECK(w.over_budget == 0);
    CHECK(w.hits > 0);
    w.f.index.expire(1e9);
    CHECK(w.f.counters.n_object == 0);
    CHECK(w.f.counters.n_objectcore == 0);
    CHECK(w.f.counters.n_objecthead == 0);
    CHECK(w.f.s0.used_space() == 0);
    CHECK(w.f.counters.bans == w.f.counters.bans_added - w.f.counters.bans_deleted);
}

} // namespace

TEST_CASE("a cache under load with room for all", "[stress]") {
    run(64u << 20);
}

TEST_CASE("a cache under load that must evict all the time keeps its budget", "[stress]") {
    run(400'000);
}
