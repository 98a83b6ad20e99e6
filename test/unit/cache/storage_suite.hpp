// What every storage engine must do; a test file for each engine runs it.
#pragma once

#include "cache/storage/storage.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace clearcoat::test {

struct held_block {
    char* data;
    std::size_t size;
    char mark;
};

inline bool intact(const held_block& b) {
    return b.data[0] == b.mark && b.data[b.size - 1] == b.mark && b.data[b.size / 2] == b.mark;
}

inline bool take(cache::storage& s, std::vector<held_block>& held, std::size_t want, std::size_t least, char mark) {
    std::size_t size = want;
    char* data = s.allocate(size, least);
    if (data == nullptr) {
        return false;
    }
    REQUIRE(size >= least);
    REQUIRE(reinterpret_cast<std::uintptr_t>(data) % 16 == 0);
    std::memset(data, mark, size);
    held.push_back({data, size, mark});
    return true;
}

inline void give(cache::storage& s, std::vector<held_block>& held, std::size_t at) {
    CHECK(intact(held[at]));
    s.free(held[at].data, held[at].size);
    held[at] = held.back();
    held.pop_back();
}

inline void check_empty(cache::storage& s) {
    CHECK(s.used_space() == 0);
    CHECK(s.counter(cache::storage_counter::g_bytes) == 0);
    CHECK(s.counter(cache::storage_counter::g_alloc) == 0);
    CHECK(s.counter(cache::storage_counter::c_bytes) == s.counter(cache::storage_counter::c_freed));
}

/// Blocks do not overlap, and all comes back.
inline void suite_random_use(cache::storage& s) {
    std::mt19937 random(1);
    std::vector<held_block> held;
    for (int i = 0; i < 5000; ++i) {
        if (held.empty() || random() % 5 < 3) {
            const std::size_t want = 1 + random() % (random() % 10 == 0 ? 100'000 : 5'000);
            if (!take(s, held, want, want, static_cast<char>(i))) {
                give(s, held, random() % held.size());
            }
        } else {
            give(s, held, random() % held.size());
        }
        REQUIRE(s.counter(cache::storage_counter::g_alloc) == held.size());
    }
    while (!held.empty()) {
        give(s, held, 0);
    }
    check_empty(s);
}

/// The budget of `limit` bytes is never exceeded, may be used nearly whole, and gives less when asked for too much.
inline void suite_budget(cache::storage& s, std::uint64_t limit) {
    std::vector<held_block> held;
    while (take(s, held, 10'000, 10'000, 'x')) {
        REQUIRE(s.used_space() <= limit);
    }
    CHECK(s.used_space() > limit - 2 * 16'384);
    CHECK(s.counter(cache::storage_counter::c_fail) > 0);
    give(s, held, held.size() / 2);
    give(s, held, held.size() / 2);
    CHECK(take(s, held, 1'000'000'000, 4'000, 'y')); // what there is
    CHECK(held.back().size >= 4'000);
    CHECK(s.used_space() <= limit);
    CHECK_FALSE(take(s, held, 1'000'000'000, 1'000'000'000, 'z'));
    CHECK(s.counter(cache::storage_counter::g_space) == s.free_space());
    while (!held.empty()) {
        give(s, held, 0);
    }
    check_empty(s);
    CHECK(s.free_space() == limit);
}

/// Structures elsewhere are paid for out of the same budget.
inline void suite_charges(cache::storage& s, std::uint64_t limit) {
    CHECK(s.charge(limit / 2));
    CHECK(s.used_space() == limit / 2);
    CHECK_FALSE(s.charge(limit));
    std::size_t size = limit / 4 * 3;
    CHECK(s.allocate(size, size) == nullptr);
    size = limit / 4;
    char* block = s.allocate(size, size);
    REQUIRE(block != nullptr);
    CHECK_FALSE(s.charge(limit / 2));
    s.free(block, size);
    s.discharge(limit / 2);
    check_empty(s);
}

/// Counters may move to another place and go on from where they were.
inline void suite_counters(cache::storage& s) {
    std::vector<held_block> held;
    REQUIRE(take(s, held, 1000, 1000, 'x'));
    std::uint64_t words[10] = {};
    s.bind_counters({words, s.kind() == cache::storage::engine::malloc ? 7u : 10u});
    CHECK(words[0] == 1); // c_req
    CHECK(words[4] == 1); // g_alloc
    CHECK(words[5] >= 1000);
    REQUIRE(take(s, held, 1000, 1000, 'x'));
    CHECK(words[0] == 2);
    CHECK(words[4] == 2);
    give(s, held, 0);
    give(s, held, 0);
    CHECK(words[4] == 0);
    CHECK(words[5] == 0);
    CHECK(words[2] == words[3]);
}

/// Many threads at once.
inline void suite_threads(cache::storage& s, std::uint64_t limit) {
    std::vector<std::thread> threads;
    std::atomic<bool> sound{true};
    for (unsigned t = 0; t < 4; ++t) {
        threads.emplace_back([&s, &sound, t, limit] {
            std::mt19937 random(t);
            std::vector<held_block> held;
            for (int i = 0; i < 3000; ++i) {
                std::size_t size = 1 + random() % 20'000;
                if (char* data = random() % 2 == 0 ? s.allocate(size, size) : nullptr) {
                    std::memset(data, static_cast<char>(t), size);
                    held.push_back({data, size, static_cast<char>(t)});
                } else if (!held.empty()) {
                    sound = sound && intact(held.back());
                    s.free(held.back().data, held.back().size);
                    held.pop_back();
                }
                sound = sound && s.used_space() <= limit;
            }
            for (const held_block& b : held) {
                sound = sound && intact(b);
                s.free(b.data, b.size);
            }
        });
    }
    for (auto& t : threads) {
        t.join();
    }
    CHECK(sound);
    check_empty(s);
}

} // namespace clearcoat::test
