// A coroutine's place on the cache's waiting lists: woken from any thread, through the waker of its task. The waker may
// be woken for other reasons too, so the cache leaves a note there.
#pragma once

#include "cache/object.hpp"
#include "cache/waiter.hpp"
#include "net/mail.hpp"
#include "net/types.hpp"

#include <cstdint>

namespace clearcoat::server {

class cache_waiter final : public cache::waiter {
  public:
    explicit cache_waiter(net::waker& target) noexcept : target_(target) {}

    void wake() noexcept override { target_.wake(called); }
    /// Whether the cache called since the last time this was asked.
    bool take_call() noexcept { return target_.take_note(called); }

    /// Waits for the call that is on its way.
    net::task<> await_call() {
        while (!take_call()) {
            target_.rearm();
            static_cast<void>(co_await target_.wait());
        }
    }
    /// After a wait on `o`'s list: off the list, whatever ended the wait.
    net::task<> leave(cache::object& o) {
        if (!take_call() && !o.unwatch(*this)) {
            co_await await_call();
        }
    }

  private:
    static constexpr std::uint8_t called = 1;
    net::waker& target_;
};

} // namespace clearcoat::server
