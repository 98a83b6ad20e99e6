// Runs one root coroutine on a loop of its own, on the calling thread, until it ends.
#pragma once

#include "net/loop.hpp"

namespace clearcoat::test {

inline net::task<> stop_after(net::loop& l, net::task<> body) {
    co_await std::move(body);
    l.stop();
}

/// The loop ends when `body` does; others it has spawned are abandoned.
inline void run_on(net::loop& l, net::task<> body) {
    l.spawn(stop_after(l, std::move(body)));
    l.run();
}

/// Waits a while on the loop.
inline net::task<> pause(net::loop& l, base::seconds time) {
    net::signal never(l);
    co_await never.wait(l.deadline_in(time));
}

} // namespace clearcoat::test
