#include "base/counted_mutex.hpp"

#include <catch2/catch.hpp>

#include <thread>

using namespace clearcoat;

TEST_CASE("a counted mutex tells how often it was taken, and how often after a wait") {
    base::counted_mutex m;
    CHECK(m.totals().mutexes == 1);
    for (int i = 0; i < 3; ++i) {
        base::lock_guard lock(m);
    }
    CHECK(m.totals().taken == 3);
    CHECK(m.totals().waited == 0);

    std::atomic<bool> started = false;
    std::thread other;
    {
        base::lock_guard lock(m);
        other = std::thread([&] {
            started = true;
            base::lock_guard wait(m);
        });
        while (!started) {
            std::this_thread::yield();
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    other.join();
    CHECK(m.totals().taken == 5);
    CHECK(m.totals().waited == 1);

    base::lock_totals all;
    all += m.totals();
    all += m.totals();
    CHECK(all.mutexes == 2);
    CHECK(all.taken == 10);
}
