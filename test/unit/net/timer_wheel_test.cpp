#include "net/timer_wheel.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <memory>
#include <random>
#include <vector>

using namespace clearcoat;

namespace {

constexpr base::seconds tick = net::timer_wheel::tick_length;
constexpr base::seconds never = std::numeric_limits<base::seconds>::infinity();

struct probe final : net::timer_entry {
    int fired = 0;
    std::function<void()> then;
    void expired() noexcept override {
        ++fired;
        if (then) {
            then();
        }
    }
};

} // namespace

TEST_CASE("An entry fires once, not before its deadline and at most a tick after") {
    net::timer_wheel wheel(100);
    probe p;
    wheel.arm(p, 100.055);
    wheel.advance(100.0549);
    CHECK(p.fired == 0);
    CHECK(p.armed());
    CHECK(wheel.advance(100.0601) == 1);
    CHECK(p.fired == 1);
    CHECK(!p.armed());
    CHECK(wheel.empty());
    CHECK(wheel.next() == never);
}

TEST_CASE("Deadlines that have passed fire with the next tick, infinite ones never") {
    net::timer_wheel wheel(0);
    probe past, endless;
    wheel.advance(5);
    wheel.arm(past, 1);
    wheel.arm(endless, never);
    CHECK(!endless.armed());
    wheel.advance(5 + tick);
    CHECK(past.fired == 1);
}

TEST_CASE("Moving and cancelling an entry") {
    net::timer_wheel wheel(0);
    probe p;
    wheel.arm(p, 1);
    wheel.arm(p, 3);
    wheel.advance(2);
    CHECK(p.fired == 0);
    wheel.arm(p, 2.5);
    wheel.advance(2.6);
    CHECK(p.fired == 1);
    wheel.arm(p, 4);
    p.cancel();
    wheel.advance(10);
    CHECK(p.fired == 1);
}

TEST_CASE("Every distance over all levels fires in its tick") {
    for (const std::uint64_t distance : {1ull, 2ull, 63ull, 64ull, 65ull, 127ull, 4095ull, 4096ull, 4097ull, 262143ull,
                                         262144ull, 300000ull, 16777216ull, 20000000ull}) {
        for (const std::uint64_t start : {0ull, 1ull, 63ull, 64ull, 4095ull, 262143ull}) {
            net::timer_wheel wheel(0);
            wheel.advance(static_cast<double>(start) * tick);
            probe p;
            const double at = static_cast<double>(start + distance) * tick;
            wheel.arm(p, at);
            wheel.advance(at - tick);
            INFO(start << "+" << distance);
            CHECK(p.fired == 0);
            wheel.advance(at);
            CHECK(p.fired == 1);
        }
    }
}

TEST_CASE("next() is never later than the earliest entry, and following it finds every entry in time") {
    std::mt19937 random(7);
    net::timer_wheel wheel(0);
    std::vector<std::unique_ptr<probe>> probes;
    std::vector<double> at;
    for (int i = 0; i < 2000; ++i) {
        probes.push_back(std::make_unique<probe>());
        at.push_back(std::uniform_real_distribution<>(0, i % 3 == 0 ? 1 : 700)(random));
        wheel.arm(*probes.back(), at.back());
    }
    int steps = 0;
    while (!wheel.empty()) {
        const double now = wheel.next();
        wheel.advance(now);
        ++steps;
        REQUIRE(steps < 100000);
        for (std::size_t i = 0; i < probes.size(); ++i) {
            const bool due = at[i] <= now - 1e-9;
            if (due != (probes[i]->fired == 1)) {
                REQUIRE((probes[i]->fired == 1 && at[i] <= now + 1e-9));
            }
        }
    }
    for (auto& p : probes) {
        CHECK(p->fired == 1);
    }
}

TEST_CASE("An expiry may arm itself again and destroy others") {
    net::timer_wheel wheel(0);
    probe again;
    auto victim = std::make_unique<probe>();
    again.then = [&] {
        victim.reset();
        if (again.fired < 3) {
            wheel.arm(again, 0);
        }
    };
    wheel.arm(again, tick);
    wheel.arm(*victim, tick);
    CHECK(wheel.advance(tick) == 1);
    wheel.advance(10 * tick);
    CHECK(again.fired == 3);
}

TEST_CASE("A destroyed entry leaves the wheel") {
    net::timer_wheel wheel(0);
    {
        probe p;
        wheel.arm(p, 1);
    }
    CHECK(wheel.advance(2) == 0);
}
