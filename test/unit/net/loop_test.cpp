#include "net/loop.hpp"
#include "support/allocation_counter.hpp"
#include "support/loop_runner.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

using namespace clearcoat;
using test::run_on;

namespace {

struct letter final : net::mail {
    std::vector<int>* log = nullptr;
    int number = 0;
    net::loop* stop = nullptr;
    void delivered() noexcept override {
        log->push_back(number);
        if (stop != nullptr) {
            stop->stop();
        }
    }
};

net::task<> wait_and_note(net::signal& s, base::seconds deadline, net::wait_status& out, bool& done) {
    out = co_await s.wait(deadline);
    done = true;
}

net::task<> time_out(net::loop& l) {
    net::signal s(l);
    const base::seconds begin = l.now();
    const net::wait_status status = co_await s.wait(begin + 0.05);
    CHECK(status == net::wait_status::timed_out);
    CHECK(l.now() - begin >= 0.05);
    CHECK(l.now() - begin < 0.5);
}

net::task<> set_from_elsewhere(net::loop& l) {
    net::signal s(l);
    net::wait_status status = net::wait_status::cancelled;
    bool done = false;
    l.spawn(wait_and_note(s, net::no_deadline, status, done));
    co_await test::pause(l, 0.02);
    CHECK(s.waiting());
    s.set();
    CHECK(!done); // never on the setter's stack
    co_await test::pause(l, 0.02);
    CHECK(done);
    CHECK(status == net::wait_status::ready);
}

net::task<> ping(net::signal& mine, net::signal& other, int rounds) {
    for (int i = 0; i < rounds; ++i) {
        const net::wait_status status = co_await mine.wait();
        CHECK(status == net::wait_status::ready);
        mine.clear();
        other.set();
    }
}

net::task<> ping_pong(net::loop& l, int rounds) {
    net::signal a(l), b(l);
    l.spawn(ping(a, b, rounds));
    a.set();
    co_await ping(b, a, rounds);
}

net::task<> no_allocation_in_ping_pong(net::loop& l) {
    co_await ping_pong(l, 10);
    net::signal a(l), b(l);
    l.spawn(ping(a, b, 1100));
    a.set();
    co_await ping(b, a, 100);
    test::reset_allocations();
    co_await ping(b, a, 1000);
#ifndef CLEARCOAT_SANITIZED
    CHECK(test::allocations().calls == 0);
#endif
}

net::task<> woken_by_thread(net::loop& l) {
    net::waker w(l);
    std::thread other([&w] { w.wake(); });
    const net::wait_status status = co_await w.wait(l.deadline_in(5));
    CHECK(status == net::wait_status::ready);
    other.join();
    w.rearm();
    CHECK(!w.woken());
}

net::task<> note_and_wake(net::loop& l) {
    for (int i = 0; i < 100; ++i) {
        auto w = std::make_unique<net::waker>(l);
        std::thread other([&w] { w->wake(2); });
        while (!w->take_note(2)) {
            std::this_thread::yield();
        }
        CHECK(w->pending()); // or the other thread may come to a waker that is gone
        CHECK(!w->take_note(2));
        while (w->pending()) {
            w->rearm();
            static_cast<void>(co_await w->wait());
        }
        w.reset();
        other.join();
    }
}

net::task<> hold(std::shared_ptr<int> something, net::loop& l, base::seconds deadline) {
    net::signal never(l);
    static_cast<void>(co_await never.wait(deadline));
    ++*something;
}

net::task<> leave_waiters(net::loop& l, std::shared_ptr<int> held) {
    l.spawn(hold(held, l, net::no_deadline));
    l.spawn(hold(held, l, l.deadline_in(100)));
    co_await test::pause(l, 0.01);
    l.spawn(hold(held, l, net::no_deadline)); // has not begun when the loop ends
}

struct own_letter final : net::mail {
    explicit own_letter(int& d) : dropped_ones(d) {}
    int& dropped_ones;
    void delivered() noexcept override { delete this; }
    void dropped() noexcept override {
        ++dropped_ones;
        delete this;
    }
};

struct flag_letter final : net::mail {
    bool seen = false;
    void delivered() noexcept override { seen = true; }
};

net::task<> yield_until(net::loop& l, const flag_letter& letter, int& turns) {
    net::signal own(l);
    while (!letter.seen) {
        static_cast<void>(co_await own.yield());
        ++turns;
    }
}

struct poster {
    poster(net::loop& l, int& d) : to(l), dropped_ones(d) {}
    ~poster() { to.post(*new own_letter(dropped_ones)); }
    net::loop& to;
    int& dropped_ones;
};

net::task<> keep(std::shared_ptr<poster> something, net::loop& l) {
    co_await test::pause(l, 100);
    something.reset();
}

net::task<> drain_gate(net::loop& l) {
    CHECK(l.sessions().try_enter());
    l.sessions().close();
    CHECK(!l.sessions().try_enter());
    const net::wait_status early = co_await l.sessions().drained(l.deadline_in(0.02));
    CHECK(early == net::wait_status::timed_out);
    l.sessions().leave();
    const net::wait_status late = co_await l.sessions().drained(l.deadline_in(5));
    CHECK(late == net::wait_status::ready);
}

} // namespace

TEST_CASE("Mail from other threads arrives, in each sender's order") {
    net::loop l(0);
    std::vector<int> log;
    constexpr int count = 2000;
    std::vector<letter> letters(count);
    std::thread sender([&] {
        for (int i = 0; i < count; ++i) {
            letters[i].log = &log;
            letters[i].number = i;
            letters[i].stop = i == count - 1 ? &l : nullptr;
            l.post(letters[i]);
        }
    });
    l.run();
    sender.join();
    REQUIRE(log.size() == count);
    for (int i = 0; i < count; ++i) {
        CHECK(log[i] == i);
    }
}

TEST_CASE("Mail posted before the loop runs, and from the loop itself, is delivered") {
    net::loop l(3);
    CHECK(l.index() == 3);
    std::vector<int> log;
    struct poster final : net::mail {
        net::loop& l;
        letter& next;
        poster(net::loop& on, letter& n) : l(on), next(n) {}
        void delivered() noexcept override {
            CHECK(net::loop::current() == &l);
            l.post(next);
        }
    };
    letter last;
    last.log = &log;
    last.number = 1;
    last.stop = &l;
    poster first(l, last);
    l.post(first);
    l.run();
    CHECK(log == std::vector<int>{1});
    CHECK(net::loop::current() == nullptr);
}

TEST_CASE("A wait ends with its deadline") {
    net::loop l(0);
    run_on(l, time_out(l));
}

TEST_CASE("A signal set by another coroutine resumes its waiter in the loop's turn") {
    net::loop l(0);
    run_on(l, set_from_elsewhere(l));
}

TEST_CASE("Waiters that keep waking each other do not allocate") {
    net::loop l(0);
    run_on(l, no_allocation_in_ping_pong(l));
}

TEST_CASE("Who yields lets the loop's other work go first") {
    net::loop l(0);
    flag_letter letter;
    int turns = 0;
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        l.post(letter);
    });
    test::run_on(l, yield_until(l, letter, turns));
    other.join();
    CHECK(letter.seen);
    CHECK(turns > 1);
}

TEST_CASE("A waker ends a wait from another thread") {
    net::loop l(0);
    run_on(l, woken_by_thread(l));
}

TEST_CASE("Who finds a waker's note may wait for the wake-up that came with it") {
    net::loop l(0);
    run_on(l, note_and_wake(l));
}

TEST_CASE("A loop that goes takes along what waits on it, without resuming it") {
    const auto held = std::make_shared<int>(0);
    int dropped = 0;
    {
        net::loop l(0);
        run_on(l, leave_waiters(l, held));
        CHECK(held.use_count() == 4);
        l.post(*new own_letter(dropped));
    }
    CHECK(held.use_count() == 1);
    CHECK(*held == 0);
    CHECK(dropped == 1);
}

TEST_CASE("What dies with a loop may still post to one that has ended") {
    int dropped = 0;
    {
        net::loop first(0);
        net::loop second(1);
        second.spawn(keep(std::make_shared<poster>(first, dropped), second));
        first.end();
        second.end();
        CHECK(dropped == 0);
    }
    CHECK(dropped == 1);
}

TEST_CASE("A closed gate refuses and waits for who is inside") {
    net::loop l(0);
    run_on(l, drain_gate(l));
}

TEST_CASE("Counters are merged after work and once more at the end") {
    int merges = 0;
    net::loop_options options;
    options.merge_counters = [&merges] { ++merges; };
    net::loop l(0, std::move(options));
    run_on(l, test::pause(l, 0.3));
    CHECK(merges >= 2);
    CHECK(merges <= 5);
}
