#include "server/esi_page.hpp"

#include "flow/esi_include.hpp"
#include "server/esi_include.hpp"

namespace clearcoat::server {

using cache::cursor_status;

net::task<cache::cursor_read> read_on(esi_tree& tree, cache::body_cursor& from, std::span<std::span<const char>> parts,
                                      std::uint64_t limit) {
    for (;;) {
        tree.waker.rearm();
        cache::cursor_read read = from.peek(parts, &tree.waiting, limit);
        if (read.status != cursor_status::pending) {
            co_return read;
        }
        bool good = co_await tree.client.flush();
        if (good) {
            const net::wait_status how = co_await tree.waker.wait();
            good = how == net::wait_status::ready;
        }
        co_await tree.waiting.leave(from.source());
        if (!good) {
            tree.client.give_up();
            read.status = cursor_status::failed;
            co_return read;
        }
    }
}

net::task<bool> esi_page::send() {
    using action = body::esi::delivery::step::action;
    for (;;) {
        const body::esi::delivery::step s = program_.next();
        bool good = true;
        switch (s.what) {
        case action::send:
            good = co_await to_.put(s.bytes);
            break;
        case action::text:
            good = co_await send_text(s.size);
            break;
        case action::skip:
            good = co_await skip(s.size);
            break;
        case action::include:
            if (flow::may_include(txn_)) {
                co_await esi_include::serve(tree_, txn_, s.include, program_, to_);
                good = !tree_.client.over();
            }
            break;
        case action::done:
            co_return true;
        }
        if (!good) {
            co_return false;
        }
    }
}

net::task<bool> esi_page::send_text(std::uint64_t size) {
    while (size != 0) {
        const cache::cursor_read read = co_await read_on(tree_, from_, parts_, size);
        if (read.status != cursor_status::data) {
            co_return false;
        }
        for (std::size_t i = 0; i < read.count; ++i) {
            const bool taken = co_await to_.put(std::as_bytes(parts_[i]));
            if (!taken) {
                co_return false;
            }
        }
        from_.advance(read.bytes);
        size -= read.bytes;
    }
    co_return true;
}

net::task<bool> esi_page::skip(std::uint64_t size) {
    const std::uint64_t target = from_.position() + size;
    while (!from_.skip_to(target)) {
        const cache::cursor_read read = co_await read_on(tree_, from_, parts_, target - from_.position());
        if (read.status != cursor_status::data) {
            co_return false;
        }
    }
    co_return true;
}

} // namespace clearcoat::server
