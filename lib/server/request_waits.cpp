#include "server/request_waits.hpp"

#include "cache/index.hpp"
#include "flow/services.hpp"

namespace clearcoat::server {

net::task<> wait_for_key(flow::request& txn, net::waker& waker, cache_waiter& waiting) {
    while (!waiting.take_call()) {
        waker.rearm();
        const net::wait_status how = co_await waker.wait();
        if (how == net::wait_status::ready) {
            continue;
        }
        if (!txn.svc.cache.cancel_wait(txn.digest, waiting)) {
            co_await waiting.await_call();
        }
        co_return;
    }
}

net::task<> wait_for_head(flow::request& txn, net::waker& waker, cache_waiter& waiting) {
    cache::object& o = *txn.object;
    for (;;) {
        waker.rearm();
        const cache::object_progress seen = o.progress();
        if (seen.state >= cache::object_state::streaming) {
            co_return;
        }
        if (!o.watch(waiting, seen)) {
            continue;
        }
        const net::wait_status how = co_await waker.wait();
        co_await waiting.leave(o);
        if (how != net::wait_status::ready) {
            co_return;
        }
    }
}

} // namespace clearcoat::server
