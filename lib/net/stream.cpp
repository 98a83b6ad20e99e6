#include "net/stream.hpp"

#include "net/loop.hpp"

#include <cerrno>

namespace clearcoat::net {

io_status status_of(int error) noexcept {
    switch (error) {
    case 0:
        return io_status::ok;
    case EAGAIN:
        return io_status::would_block;
    case ECONNRESET:
    case EPIPE:
    case ENOTCONN:
    case ECONNABORTED:
        return io_status::reset;
    case ETIMEDOUT:
        return io_status::timed_out;
    case ECANCELED:
        return io_status::cancelled;
    default:
        return io_status::failed;
    }
}

io_status status_of(wait_status s) noexcept {
    switch (s) {
    case wait_status::ready:
        return io_status::ok;
    case wait_status::timed_out:
        return io_status::timed_out;
    case wait_status::cancelled:
        return io_status::cancelled;
    }
    return io_status::failed;
}

namespace {

void give_up(io_result& result, wait_status waited) noexcept {
    result.status = status_of(waited);
    result.error = waited == wait_status::timed_out ? ETIMEDOUT : ECANCELED;
}

} // namespace

void stream::queue(queued_write& w) noexcept {
    w.to_ = this;
    w.result = {io_status::cancelled, ECANCELED, 0}; // unless it is made
    loop_->send_soon(w);
}

void queued_write::make() noexcept {
    result = to_->try_write(pieces);
    to_->writable_.tell();
}

call_description queued_write::describe() noexcept {
    return to_->describe_write(pieces);
}

void queued_write::made(int returned) noexcept {
    result = to_->write_made(pieces, returned);
    if (result.ok() && !pieces.empty()) { // more pieces than one call takes, or an interrupted call
        const std::size_t sent = result.bytes;
        result = to_->try_write(pieces);
        result.bytes += sent;
    }
    to_->writable_.tell();
}

call_description stream::describe_write(std::span<::iovec>) noexcept {
    return {};
}

io_result stream::write_made(std::span<::iovec>&, int) noexcept {
    return {};
}

task<io_result> stream::read_some(std::span<char> into, base::seconds deadline) {
    for (;;) {
        io_result result = try_read(into);
        if (result.status != io_status::would_block) {
            co_return result;
        }
        const wait_status waited = co_await wait_readable(deadline);
        if (waited != wait_status::ready) {
            give_up(result, waited);
            co_return result;
        }
    }
}

task<io_result> stream::write_all(std::span<::iovec> pieces, base::seconds deadline) {
    std::size_t sent = 0;
    for (;;) {
        io_result result = try_write(pieces);
        sent += result.bytes;
        result.bytes = sent;
        if (result.status != io_status::would_block) {
            co_return result;
        }
        const wait_status waited = co_await wait_writable(deadline);
        if (waited != wait_status::ready) {
            give_up(result, waited);
            co_return result;
        }
    }
}

} // namespace clearcoat::net
