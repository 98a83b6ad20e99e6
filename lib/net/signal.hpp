// The one thing a coroutine waits on: a flag of a loop with at most one waiter and an optional deadline. Setting it
// never resumes the waiter on the setter's stack: the loop does that at the end of its turn. Loop thread only; other
// threads go through a mailbox (see mail.hpp). Waiting allocates nothing and needs no coroutine frame of its own.
#pragma once

#include "net/timer_wheel.hpp"
#include "net/types.hpp"

#include <boost/asio/async_result.hpp>

#include <cstddef>
#include <new>
#include <utility>

namespace clearcoat::net {

class loop;

enum class wait_status : std::uint8_t {
    ready,     // the flag is set
    timed_out, // the deadline passed first
    cancelled  // cancel() was called: the loop is stopping or the owner gave up
};

class signal final : private timer_entry {
  public:
    explicit signal(loop& owner) noexcept : loop_(&owner) {}
    /// A waiting coroutine dies with its signal, without being resumed.
    ~signal() override { drop_waiter(); }
    signal(const signal&) = delete;
    signal& operator=(const signal&) = delete;

    bool is_set() const noexcept { return set_; }
    /// Stays set until clear(); the waiter, if any, is resumed at the end of the loop's turn.
    void set() noexcept;
    void clear() noexcept { set_ = false; }
    bool waiting() const noexcept { return act_ != nullptr; }
    /// Drops what waits without calling it; for a then(), never for a coroutine.
    void forget_waiter() noexcept { drop_waiter(); }
    /// Ends a wait with `cancelled`; harmless when nobody waits.
    void cancel() noexcept { finish(wait_status::cancelled); }

    /// `wait_status s = co_await sig.wait(deadline);` A set flag ends the wait without passing the deadline check.
    auto wait(base::seconds deadline = no_deadline) noexcept {
        return asio::async_initiate<const asio::deferred_t, void(wait_status)>(initiate{this, deadline},
                                                                               asio::deferred);
    }

    /// `co_await sig.yield();` Goes on in the loop's next turn, after what the kernel and others have for it then. The
    /// flag does not matter.
    auto yield() noexcept {
        return asio::async_initiate<const asio::deferred_t, void(wait_status)>(initiate_yield{this}, asio::deferred);
    }

    /// `wait_status s = co_await sig.wait_told();` Until tell() or cancel(), whatever the flag, and within the loop's
    /// turn.
    auto wait_told() noexcept {
        return asio::async_initiate<const asio::deferred_t, void(wait_status)>(initiate_told{this}, asio::deferred);
    }
    void tell() noexcept { finish(wait_status::ready); }

    /// Instead of a coroutine: calls `f(wait_status)` once at the end of a turn. `f` is small and trivially copyable.
    template<class F>
    void then(base::seconds deadline, F f) noexcept {
        start(std::move(f), deadline);
    }

  private:
    friend class loop;
    struct initiate {
        signal* self;
        base::seconds deadline;
        template<class Handler>
        void operator()(Handler&& handler) const {
            self->start(std::forward<Handler>(handler), deadline);
        }
    };
    struct initiate_yield {
        signal* self;
        template<class Handler>
        void operator()(Handler&& handler) const {
            self->keep(std::forward<Handler>(handler));
            self->finish_next_turn();
        }
    };
    struct initiate_told {
        signal* self;
        template<class Handler>
        void operator()(Handler&& handler) const {
            self->keep(std::forward<Handler>(handler));
        }
    };
    enum class step : std::uint8_t { call, destroy };
    static constexpr std::size_t room = 24;

    template<class Handler>
    void start(Handler&& handler, base::seconds deadline) {
        keep(std::forward<Handler>(handler));
        arm(deadline);
    }

    template<class Handler>
    void keep(Handler&& handler) {
        using stored = std::decay_t<Handler>;
        static_assert(sizeof(stored) <= room, "a waiter's handler must fit the signal");
        begin_wait();
        new (place_) stored(std::forward<Handler>(handler));
        act_ = [](signal& s, step what) {
            stored& in_place = *std::launder(reinterpret_cast<stored*>(s.place_));
            stored taken(std::move(in_place));
            in_place.~stored();
            s.act_ = nullptr;
            if (what == step::call) {
                std::move(taken)(s.status_);
            }
        };
    }

    void begin_wait() noexcept;
    void arm(base::seconds deadline) noexcept;
    void finish(wait_status how) noexcept;
    void finish_next_turn() noexcept;
    void drop_waiter() noexcept;
    void resume();
    void expired() noexcept override { finish(wait_status::timed_out); }
    void abandoned() noexcept override { drop_waiter(); }

    loop* loop_;
    void (*act_)(signal&, step) = nullptr; // nullptr: nobody waits
    alignas(void*) std::byte place_[room];
    bool set_ = false;
    bool finished_ = false; // queued in the loop's list of waiters to resume
    wait_status status_ = wait_status::ready;
};

} // namespace clearcoat::net
