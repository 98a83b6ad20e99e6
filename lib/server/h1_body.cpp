#include "server/h1_body.hpp"

#include "cache/index.hpp"
#include "cache/storage/storage_set.hpp"
#include "flow/storage_handles.hpp"
#include "http/h1/format.hpp"
#include "server/h1_session.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"

#include <fmt/core.h>

namespace clearcoat::server {

using flow::received_body;
using http::h1::body_kind;

void h1_body::begin() noexcept {
    left_ = txn_.body.framing.kind == body_kind::length ? txn_.body.framing.length : 0;
}

void h1_body::forget_last_piece() noexcept {
    session_.received().drop(handed_out_);
    handed_out_ = 0;
}

void h1_body::fail(std::string_view why) noexcept {
    txn_.log.write(log_tag::FetchError, why);
    txn_.body.now = received_body::state::failed;
}

body_piece h1_body::take_chunked(std::string_view bytes) noexcept {
    body_piece piece;
    piece.status = net::io_status::would_block;
    while (handed_out_ < bytes.size() && !chunks_.done()) {
        const auto step = chunks_.feed(bytes.substr(handed_out_));
        handed_out_ += step.used;
        if (step.state == http::h1::chunk_state::failed) {
            fail(chunks_.error());
            piece.status = net::io_status::failed;
            return piece;
        }
        if (!step.data.empty()) {
            piece.status = net::io_status::ok;
            piece.bytes = step.data;
            return piece;
        }
    }
    if (chunks_.done()) {
        piece.status = net::io_status::ok;
        piece.last = true;
    }
    return piece;
}

/// What is buffered of the body; would_block when more must be received first.
body_piece h1_body::take_buffered() noexcept {
    const std::string_view bytes = session_.received().bytes();
    if (txn_.body.framing.kind == body_kind::chunked) {
        return take_chunked(bytes);
    }
    body_piece piece;
    if (left_ != 0 && bytes.empty()) {
        piece.status = net::io_status::would_block;
        return piece;
    }
    piece.bytes = bytes.substr(0, std::min<std::uint64_t>(left_, bytes.size()));
    handed_out_ = piece.bytes.size();
    left_ -= piece.bytes.size();
    piece.last = left_ == 0;
    return piece;
}

void h1_body::log_start(const cache::storage& where) noexcept {
    if (!std::exchange(started_, true)) {
        txn_.log.join(log_tag::Storage, where.kind_name(), ' ', where.identity());
    }
}

net::task<body_piece> h1_body::next() {
    forget_last_piece();
    log_start(txn_.svc.cache.storages().transient());
    if (std::exchange(txn_.wants_continue, false)) {
        const bool sent = co_await send_continue();
        if (!sent) {
            txn_.body.now = received_body::state::failed;
            body_piece piece;
            piece.status = net::io_status::reset;
            co_return piece;
        }
    }
    body_piece piece = take_buffered();
    while (piece.status == net::io_status::would_block) {
        forget_last_piece();
        const body_piece got = co_await receive();
        if (got.status != net::io_status::ok) {
            co_return got;
        }
        piece = take_buffered();
    }
    txn_.account.request_body += piece.bytes.size();
    co_return piece;
}

net::task<body_piece> h1_body::receive() {
    body_piece piece;
    loop_context& context = session_.context();
    const std::span<char> room = session_.received().room(context.loop.buffers(), context.loop.buffers().chunk_size());
    const base::seconds idle =
        flow::session_settings::or_parameter(session_.settings().timeout_idle, context.flow.params.timeout_idle());
    const net::io_result got = co_await session_.stream().read_some(room, context.loop.deadline_in(idle));
    if (got.ok()) {
        session_.received().added(got.bytes);
        co_return piece;
    }
    const bool chunked = txn_.body.framing.kind == body_kind::chunked;
    fail(chunked && got.status == net::io_status::eof ? chunks_.error_at_end() : "straight insufficient bytes");
    piece.status = got.status;
    piece.error = got.error;
    co_return piece;
}

net::task<bool> h1_body::send_continue() {
    txn_.log.write(log_tag::RespProtocol, "HTTP/1.1");
    txn_.log.write(log_tag::RespStatus, "100");
    txn_.log.write(log_tag::RespReason, "Continue");
    char text[80];
    const std::size_t size = http::h1::format_minimal_response(100, text);
    ::iovec pieces[1] = {net::piece(std::string_view(text, size))};
    const base::seconds deadline = session_.context().loop.deadline_in(session_.context().flow.params.send_timeout());
    const net::io_result sent = co_await session_.stream().write_all(pieces, deadline);
    txn_.account.response_head += sent.bytes;
    co_return sent.ok();
}

void h1_body::done(bool bad) noexcept {
    forget_last_piece();
    const bool all = txn_.body.framing.kind == body_kind::chunked ? chunks_.done() : left_ == 0;
    if (bad) {
        txn_.body.now = received_body::state::failed;
    } else {
        txn_.body.now = all ? received_body::state::taken : received_body::state::unread;
    }
    if (started_) {
        host_.mark("ReqBody");
    }
    if (net::waker* w = std::exchange(borrower_, nullptr)) {
        w->wake();
    }
}

net::task<> h1_body::drop() {
    for (;;) {
        const body_piece piece = co_await next();
        if (piece.status != net::io_status::ok) {
            done(true);
            co_return;
        }
        if (piece.last) {
            break;
        }
    }
    done(false);
}

bool h1_body::begin_keeping(std::uint64_t limit) noexcept {
    const bool filtered = !txn_.body_filters.empty();
    if (!filtered && txn_.body.framing.kind == body_kind::length && txn_.body.framing.length > limit) {
        fail("Request body too big to cache");
        return false;
    }
    cache::storage* where = flow::storage_handles::engine_of(std::exchange(txn_.storage, nullptr));
    cache::index& cache = session_.context().flow.cache;
    if (where == nullptr) {
        where = &cache.storages().transient();
    }
    txn_.body.kept = cache.make_private();
    if (!cache.prepare(*txn_.body.kept, *where, 0, 0)) {
        fail(fmt::format("Object allocation failed: Ran out of space in {}", where->identity()));
        txn_.body.kept.reset();
        return false;
    }
    log_start(*where);
    if (filtered && !make_filters()) {
        txn_.body.kept.reset();
        return false;
    }
    return true;
}

bool h1_body::make_filters() {
    filters_ = std::make_unique<flow::fetch_body>();
    filters_->reset_decoded();
    const flow::fetch_body::workshop shop{
        txn_.head, txn_.head.url(), txn_.svc.params, txn_.workspace, txn_.svc.counters, txn_.log, host_};
    if (filters_->build(txn_.body_filters, shop)) {
        return true;
    }
    fail(filters_->error());
    fail("req.body filters failed");
    return false;
}

/// False when the body cannot be kept: the log has the reason, or storage is out.
bool h1_body::store(cache::body_writer& writer, const body_piece& piece, std::uint64_t limit) noexcept {
    bool good = true;
    std::uint64_t size = writer.written();
    if (!filters_) {
        size += piece.bytes.size();
    } else {
        std::string_view bytes = piece.bytes;
        using state = flow::fetch_body::state;
        good = filters_->take(bytes) != state::failed && (!piece.last || filters_->ended() != state::failed);
        size = writer.written();
        if (!good) {
            fail(filters_->error());
        }
    }
    if (good && size > limit) {
        fail("Request body too big to cache");
        return false;
    }
    return good && (filters_ || writer.append(piece.bytes));
}

net::task<> h1_body::keep(std::uint64_t limit) {
    if (!begin_keeping(limit)) {
        co_return;
    }
    cache::body_writer writer(session_.context().flow.cache, txn_.body.kept);
    if (filters_) {
        filters_->write_to(writer);
    }
    for (;;) {
        const body_piece piece = co_await next();
        if (piece.status != net::io_status::ok || !store(writer, piece, limit)) {
            writer.fail();
            txn_.body.kept.reset();
            done(true);
            co_return;
        }
        if (piece.last) {
            break;
        }
    }
    writer.finish(session_.context().loop.real_now());
    done(false);
    kept(writer.written());
    if (filters_) {
        filters_->close(txn_.log);
        filters_.reset();
    }
}

void h1_body::kept(std::uint64_t length) noexcept {
    const bool announced = txn_.body.framing.kind == body_kind::length && txn_.body.framing.length == length;
    txn_.body.now = received_body::state::cached;
    txn_.body.length = length;
    if (announced && !filters_) {
        return;
    }
    const std::string text = fmt::format("{}", length);
    for (http::head* h : {&txn_.original, &txn_.head}) {
        h->unset(http::field_id::transfer_encoding);
        h->replace(http::field_id::content_length, text);
    }
}

} // namespace clearcoat::server
