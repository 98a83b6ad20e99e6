#include "server/h1_delivery.hpp"

#include "flow/delivery_records.hpp"
#include "flow/services.hpp"
#include "http/h1/format.hpp"
#include "server/h1_session.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace clearcoat::server {

using cache::cursor_status;
using tables::close_reason;

bool h1_delivery::stop(close_reason why) noexcept {
    if (txn_.closing == close_reason::none || why == close_reason::rem_close) {
        txn_.closing = why;
    }
    return false;
}

void h1_delivery::add_piece(std::string_view bytes) noexcept {
    pieces_[used_++] = net::piece(bytes);
}

/// One write's worth of body, as a chunk where the response is chunked.
void h1_delivery::add_body(std::span<const std::span<const char>> parts, std::size_t bytes) noexcept {
    if (bytes == 0) {
        return;
    }
    if (chunked_) {
        add_piece(http::h1::chunk_head(bytes, chunk_head_));
    }
    for (const std::span<const char> part : parts) {
        add_piece({part.data(), part.size()});
    }
    if (chunked_) {
        add_piece("\r\n");
    }
    txn_.account.response_body += bytes;
    ++writes_;
}

void h1_delivery::end_body() noexcept {
    if (chunked_) {
        add_piece(http::h1::last_chunk);
    }
}

bool h1_delivery::format_head() noexcept {
    const std::size_t size = http::h1::response_size(txn_.response);
    std::span<char> room;
    if (head_room_.borrow(session_.context().loop.buffers())) {
        room = head_room_.all();
    }
    if (size > room.size()) {
        large_head_.reset(new (std::nothrow) char[size]);
        room = {large_head_.get(), large_head_ ? size : 0};
    }
    if (size > room.size() || http::h1::format_response(txn_.response, room) == 0) {
        return false;
    }
    add_piece({room.data(), size});
    txn_.account.response_head += size;
    return true;
}

net::task<> h1_delivery::send_error(std::string_view why) {
    static constexpr std::string_view answer = "HTTP/1.1 500 Internal Server Error\r\n"
                                               "Server: Varnish\r\n"
                                               "Connection: close\r\n\r\n";
    txn_.log.write(log_tag::Error, why);
    txn_.log.write(log_tag::RespProtocol, "HTTP/1.1");
    txn_.log.write(log_tag::RespStatus, "500");
    txn_.log.write(log_tag::RespReason, "Internal Server Error");
    ++txn_.svc.counters.client_resp_500;
    begin_write();
    add_piece(answer);
    txn_.closing = close_reason::tx_eof;
    static_cast<void>(co_await flush());
}

bool h1_delivery::settle(const net::io_result& sent) noexcept {
    if (sent.ok()) {
        return true;
    }
    if (sent.status == net::io_status::timed_out) {
        return stop(close_reason::tx_error);
    }
    return stop(close_reason::rem_close);
}

/// A client that takes nothing for idle_send_timeout is noted only: what ends the response is send_timeout.
net::task<bool> h1_delivery::flush_unsent() {
    const tables::param_block& p = txn_.svc.params;
    const net::loop& home = session_.context().loop;
    const base::seconds until =
        home.deadline_in(flow::session_settings::or_parameter(txn_.settings.send_timeout, p.send_timeout()));
    const base::seconds idle =
        flow::session_settings::or_parameter(txn_.settings.idle_send_timeout, p.idle_send_timeout());
    std::span<::iovec> pieces = std::exchange(write_.pieces, {});
    net::io_result sent = session_.stream().try_write(pieces);
    while (sent.status == net::io_status::would_block) {
        const base::seconds patience = idle > 0 ? std::min(until, home.deadline_in(idle)) : until;
        const net::wait_status how = co_await session_.stream().wait_writable(patience);
        if (how == net::wait_status::timed_out && home.now() < until) {
            note_timeout("idle", pieces, "retrying");
        } else if (how != net::wait_status::ready) {
            sent.status = net::status_of(how);
            break;
        }
        sent = session_.stream().try_write(pieces);
    }
    if (sent.status == net::io_status::timed_out) {
        note_timeout("total", pieces, "not retrying");
    }
    co_return settle(sent);
}

void h1_delivery::note_timeout(std::string_view which, std::span<const ::iovec> unsent, std::string_view next) {
    std::size_t left = 0;
    for (const ::iovec& part : unsent) {
        left += part.iov_len;
    }
    txn_.log.print(log_tag::Debug, "Hit {} send timeout, wrote = -1/{}; {}", which, left, next);
}

net::task<bool> h1_delivery::flush() {
    queue_pieces();
    const net::io_result sent = session_.stream().try_write(write_.pieces);
    if (sent.status == net::io_status::would_block) {
        const bool good = co_await flush_unsent();
        co_return good;
    }
    co_return settle(sent);
}

/// The cursor had nothing and registered the waiter: sends what is there, then waits.
net::task<bool> h1_delivery::wait_for_more() {
    bool good = true;
    if (used_ != 0) {
        good = co_await flush();
    }
    if (good) {
        const net::wait_status how = co_await waker_.wait();
        good = how == net::wait_status::ready || stop(close_reason::rem_close);
    }
    co_await waiting_.leave(cursor_->source());
    co_return good;
}

net::task<bool> h1_delivery::skip_to(std::uint64_t offset) {
    while (!cursor_->skip_to(offset)) {
        waker_.rearm();
        const cache::cursor_read read = cursor_->peek(spans_, &waiting_);
        if (read.status == cursor_status::pending) {
            const bool more = co_await wait_for_more();
            if (!more) {
                co_return false;
            }
        } else if (read.status == cursor_status::failed) {
            co_return stop(close_reason::tx_error);
        } else {
            cursor_->advance(read.bytes);
        }
    }
    co_return true;
}

net::task<bool> h1_delivery::send_identity(flow::delivery_plan& plan) {
    std::uint64_t left = UINT64_MAX;
    if (plan.ranged) {
        left = static_cast<std::uint64_t>(plan.length);
        const bool there = co_await skip_to(plan.window.low());
        if (!there) {
            co_return false;
        }
    }
    while (left != 0) {
        waker_.rearm();
        const cache::cursor_read read = cursor_->peek(spans_, &waiting_, left);
        if (read.status == cursor_status::pending) {
            const bool more = co_await wait_for_more();
            if (!more) {
                co_return false;
            }
            continue;
        }
        if (read.status == cursor_status::failed) {
            co_return stop(close_reason::tx_error);
        }
        if (read.status == cursor_status::end) {
            if (plan.ranged) {
                co_return stop(close_reason::range_short);
            }
            break;
        }
        add_body({spans_.data(), read.count}, read.bytes);
        left -= read.bytes;
        const bool finished = read.last || left == 0;
        if (finished) {
            end_body();
        }
        const bool sent = co_await flush();
        if (!sent) {
            co_return false;
        }
        cursor_->advance(read.bytes);
        if (finished) {
            co_return true;
        }
    }
    end_body();
    const bool sent = co_await flush();
    co_return sent;
}

net::task<bool> h1_delivery::stage_batch(flow::delivery_plan& plan, cache::cursor_read read) {
    const std::span<std::byte> room = std::as_writable_bytes(plain_.all());
    read_ += read.count;
    for (std::size_t i = 0; i < read.count; ++i) {
        const bool last = read.last && i + 1 == read.count;
        std::span<const std::byte> in = std::as_bytes(spans_[i]);
        body::stage_state state = body::stage_state::want_room;
        while (state == body::stage_state::want_room) {
            const body::stage_step step = stage_->push(in, last, room.subspan(plain_size_));
            in = in.subspan(step.used);
            plain_size_ += step.made;
            state = step.state;
            if (state == body::stage_state::failed) {
                txn_.log.write(plan.modules.empty() ? log_tag::Gzip : log_tag::Error, stage_->error());
                co_return stop(close_reason::tx_error);
            }
            if (state != body::stage_state::want_room && !(last || i + 1 == read.count)) {
                continue;
            }
            const std::span<const std::byte> wanted = plan.window.take(room.first(plain_size_));
            const std::span<const char> part(reinterpret_cast<const char*>(wanted.data()), wanted.size());
            add_body({&part, 1}, part.size());
            plain_size_ = 0;
            if (state == body::stage_state::done) {
                co_return true;
            }
            if (used_ != 0) {
                const bool sent = co_await flush();
                if (!sent) {
                    co_return false;
                }
            }
        }
    }
    co_return true;
}

/// nullptr: no room for them.
body::stage* h1_delivery::set_up_stages(flow::delivery_plan& plan) noexcept {
    constexpr std::size_t joint_size = 4096;
    if (plan.gunzip) {
        gunzip_ = body::gunzip_stage::create();
        if (!gunzip_ || plan.modules.empty()) {
            return gunzip_.get();
        }
    }
    pipeline_ = std::make_unique<body::pipeline>();
    bool good = !gunzip_ || pipeline_->append(*gunzip_, txn_.workspace, joint_size);
    for (const auto& filter : plan.modules) {
        good = good && pipeline_->append(*filter, txn_.workspace, joint_size);
    }
    return good ? pipeline_.get() : nullptr;
}

/// The body ended without a last piece: a filter of a module wants to know.
net::task<bool> h1_delivery::end_stages(flow::delivery_plan& plan) {
    if (plan.modules.empty()) {
        co_return true;
    }
    cache::cursor_read nothing;
    nothing.count = 1;
    nothing.last = true;
    spans_[0] = {};
    const bool good = co_await stage_batch(plan, nothing);
    co_return good;
}

net::task<bool> h1_delivery::send_staged(flow::delivery_plan& plan) {
    stage_ = set_up_stages(plan);
    if (stage_ == nullptr || !plain_.borrow(session_.context().loop.buffers())) {
        co_return stop(close_reason::overload);
    }
    bool good = true;
    for (bool finished = false; good && !finished;) {
        waker_.rearm();
        const cache::cursor_read read = cursor_->peek(spans_, &waiting_);
        switch (read.status) {
        case cursor_status::pending:
            good = co_await wait_for_more();
            break;
        case cursor_status::data:
            good = co_await stage_batch(plan, read);
            cursor_->advance(read.bytes);
            finished = read.last || plan.window.complete();
            break;
        case cursor_status::end:
            good = co_await end_stages(plan);
            finished = true;
            break;
        case cursor_status::failed:
            good = stop(close_reason::tx_error);
            break;
        }
    }
    if (!good) {
        co_return false;
    }
    end_body();
    const bool sent = co_await flush();
    co_return sent;
}

void h1_delivery::log_filters(const flow::delivery_plan& plan) noexcept {
    flow::write_filter_records(
        txn_, plan, {plan.send_body, gunzip_.get(), pipeline_.get(), read_, writes_, txn_.account.response_body});
}

void h1_delivery::prepare(flow::delivery_plan& plan) {
    begin_write();
    prepared_ = false;
    formatted_ = !txn_.workspace.overflowed() && format_head();
    if (!formatted_) {
        return;
    }
    if (plan.send_body) {
        chunked_ = plan.chunked;
        const bool ours = txn_.object->has(cache::object_flag::is_private);
        cursor_.emplace(txn_.object, ours ? cache::body_cursor::mode::consume : cache::body_cursor::mode::keep);
        if (plan.esi || plan.gunzip || plan.ranged || !plan.modules.empty()) {
            return;
        }
        const cache::cursor_read read = cursor_->peek(spans_);
        if (read.status != cursor_status::data || !read.last) {
            return;
        }
        add_body({spans_.data(), read.count}, read.bytes);
        end_body();
    }
    queue_pieces();
    prepared_ = true;
}

bool h1_delivery::written(const flow::delivery_plan& plan) noexcept {
    if (write_.result.status == net::io_status::would_block) {
        return false;
    }
    settle(write_.result);
    conclude(plan);
    return true;
}

net::task<> h1_delivery::send_on(flow::delivery_plan& plan) {
    if (!formatted_) {
        co_await send_error("workspace_client overflow");
        co_return;
    }
    if (prepared_) {
        static_cast<void>(co_await flush_unsent());
    } else if (plan.esi) {
        static_cast<void>(co_await send_esi(plan));
    } else if (plan.gunzip || !plan.modules.empty()) {
        static_cast<void>(co_await send_staged(plan));
    } else {
        static_cast<void>(co_await send_identity(plan));
    }
    conclude(plan);
}

void h1_delivery::conclude(const flow::delivery_plan& plan) noexcept {
    if (plan.filtered()) {
        log_filters(plan);
    }
    if (plan.send_body) {
        txn_.log.join(log_tag::VdpAcct, "V1B ", writes_, ' ', txn_.account.response_body);
        cursor_.reset();
    }
    head_room_.release();
    plain_.release();
}

} // namespace clearcoat::server
