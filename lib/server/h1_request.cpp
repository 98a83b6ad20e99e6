#include "server/h1_request.hpp"

#include "flow/services.hpp"
#include "http/h1/format.hpp"
#include "server/fetch_task.hpp"
#include "server/h1_delivery.hpp"
#include "server/h1_session.hpp"
#include "server/pipe.hpp"
#include "server/request_waits.hpp"
#include "tables/bits.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"

namespace clearcoat::server {

using flow::received_body;
using flow::request_action;
using tables::close_reason;

const std::size_t h1_request::memory_size = sizeof(h1_request);

h1_request::h1_request(h1_session& session, receive_buffer&& head, std::size_t head_size)
    : session_(session), head_bytes_(std::move(head)), head_size_(head_size),
      txn_(session.context().flow,
           session.context().flow.logs.take(session.context().flow.vxids.next_vxid(), base::log_side::client),
           *session.facts(), session.settings()),
      waker_(session.context().loop), waiting_(waker_), module_waker_(waker_),
      fsm_(txn_, module_waker_, session.context().vcls, waiting_), body_(session, txn_, fsm_.host()),
      delivery_(session, txn_, fsm_.host(), waker_, waiting_) {
    const std::string_view behind = head_bytes_.bytes().substr(head_size);
    if (!behind.empty()) {
        txn_.pipelined = true;
        if (!session.received().assign(behind, session.context().loop.buffers())) {
            txn_.closing = close_reason::overload;
        }
    }
}

void h1_request::set_times(base::seconds first_byte, base::seconds received) noexcept {
    txn_.first_byte = first_byte;
    txn_.received = received;
}

void h1_request::begin_records() noexcept {
    const base::vxid_number own = txn_.log.vxid();
    txn_.log.join(log_tag::Begin, "req ", session_.facts()->vxid, " rxreq");
    char text[48];
    const char* end = base::join(text, "req ", own, " rxreq");
    session_.log(log_tag::Link, {text, end});
    flow::timestamps& times = fsm_.host().times();
    times.mark(txn_.log, "Start", txn_.first_byte);
    times.mark(txn_.log, "Req", txn_.received);
}

bool h1_request::dissect() noexcept {
    const std::span<char> bytes = head_bytes_.writable_bytes().first(head_size_);
    const auto result = http::h1::dissect_request(bytes, txn_.head, txn_.svc.params.http_req_hdr_len());
    txn_.account.request_head += head_size_;
    bool good = result.ok();
    if (!good) {
        char text[80];
        const std::string_view record = result.write_record(text);
        if (!record.empty()) {
            txn_.log.write(log_tag::BogoHeader, record);
        }
    } else {
        http::h1::host_from_url(txn_.head, txn_.svc.params.feature(tables::feature::https_scheme));
        txn_.body.framing = http::h1::framing_of_request(txn_.head);
        good = txn_.body.framing.ok();
    }
    if (!good) {
        txn_.log.write(log_tag::HttpGarbage, {bytes.data(), bytes.size()});
        ++txn_.svc.counters.client_req_400;
        txn_.closing = close_reason::rx_junk;
    }
    return good;
}

void h1_request::find_body() noexcept {
    if (txn_.body.framing.kind != http::h1::body_kind::none) {
        txn_.body.now = received_body::state::unread;
        body_.begin();
    }
}

bool h1_request::prepare_now() {
    begin_records();
    if (!dissect()) {
        refused_ = true;
        return false;
    }
    ++txn_.svc.counters.client_req;
    find_body();
    txn_.vcl = session_.context().vcls.active();
    if (txn_.vcl) {
        txn_.log.write(log_tag::VCL_use, txn_.vcl->name());
        fsm_.begin();
        advance();
    } else {
        txn_.closing = close_reason::overload;
    }
    return action_ == request_action::deliver && delivery_.prepared();
}

bool h1_request::send_now() noexcept {
    delivery_.write().result = session_.stream().try_write(delivery_.write().pieces);
    return delivery_.written(fsm_.plan()) && go_on();
}

bool h1_request::end_now(net::wait_status sent) noexcept {
    if (sent != net::wait_status::ready) {
        delivery_.write().unlink();
    }
    return delivery_.written(fsm_.plan()) && go_on();
}

/// After the response was sent.
bool h1_request::go_on() noexcept {
    advance();
    if (action_ != request_action::done || !let_go()) {
        return false;
    }
    finish();
    return true;
}

// In this order: a module that still held the waker could wake it after it was found quiet.
bool h1_request::let_go() noexcept {
    module_waker_.detach();
    return !waker_.pending();
}

net::task<> h1_request::serve_on() {
    if (refused_) {
        co_await send_minimal(400);
    }
    while (action_ != request_action::done) {
        const bool more = co_await perform();
        if (!more) {
            break;
        }
        advance();
    }
    if (!let_go()) {
        co_await settle(waker_);
    }
    finish();
}

void h1_request::advance() {
    for (;;) {
        action_ = fsm_.resume();
        switch (action_) {
        case request_action::start_fetch:
            start_fetch();
            break;
        case request_action::deliver:
            flow::frame_http1(txn_, fsm_.plan());
            delivery_.prepare(fsm_.plan());
            return;
        default:
            return;
        }
    }
}

/// False when the request ended on the way.
net::task<bool> h1_request::perform() {
    switch (action_) {
    case request_action::deliver:
        co_await delivery_.send_on(fsm_.plan());
        co_return true;
    case request_action::send_minimal:
        co_await send_minimal(fsm_.minimal_status());
        break;
    case request_action::cache_body:
        co_await body_.keep(fsm_.body_limit());
        break;
    case request_action::drop_body:
        co_await body_.drop();
        break;
    case request_action::wait_module:
        co_await wait_module();
        break;
    case request_action::wait_key:
        co_await wait_for_key(txn_, waker_, waiting_);
        break;
    case request_action::wait_fetch:
        co_await wait_fetch();
        break;
    case request_action::pipe:
        co_await run_pipe();
        break;
    default:
        break;
    }
    if (!session_.stopping()) {
        co_return true;
    }
    txn_.closing = close_reason::rem_close;
    co_return false;
}

net::task<> h1_request::send_minimal(unsigned status) {
    char text[80];
    const std::size_t size = http::h1::format_minimal_response(status, text);
    const std::string_view line(text, size);
    txn_.log.write(log_tag::RespProtocol, "HTTP/1.1");
    txn_.log.write(log_tag::RespStatus, line.substr(9, 3));
    txn_.log.write(log_tag::RespReason, line.substr(13, line.size() - 17));
    ::iovec pieces[1] = {net::piece(line)};
    const base::seconds deadline = session_.context().loop.deadline_in(txn_.svc.params.send_timeout());
    const net::io_result sent = co_await session_.stream().write_all(pieces, deadline);
    txn_.account.response_head += sent.bytes;
    if (!sent.ok() && txn_.closing == close_reason::none) {
        txn_.closing = close_reason::rem_close;
    }
}

net::task<> h1_request::wait_module() {
    static_cast<void>(co_await waker_.wait());
    waker_.rearm();
}

void h1_request::start_fetch() {
    flow::fetch_request fetch = fsm_.take_fetch();
    const bool streams = fetch.body == flow::request_body::length || fetch.body == flow::request_body::chunked;
    if (streams) {
        body_.lend(waker_);
    }
    spawn_fetch(session_.context(), std::move(fetch), streams ? &body_ : nullptr, txn_.log);
}

net::task<> h1_request::wait_fetch() {
    // A body in the hands of the fetch comes first: until it is given back, the waker is the body's alone.
    waker_.rearm();
    while (body_.lent()) {
        static_cast<void>(co_await waker_.wait());
        waker_.rearm();
    }
    co_await wait_for_head(txn_, waker_, waiting_);
}

net::task<> h1_request::run_pipe() {
    pipe_ends ends;
    ends.client = &session_.stream();
    ends.already_read = session_.received().bytes();
    ends.cached_body = txn_.body.kept;
    ends.attempt = &connecting_;
    txn_.closing = co_await server::run_pipe(session_.context(), fsm_.exchange(), ends);
}

void h1_request::finish() noexcept {
    fsm_.host().end_task();
    const flow::request_account& a = txn_.account;
    const bool piped = txn_.closing == close_reason::tx_pipe;
    if (!piped) {
        flow::write_account(txn_);
    }
    txn_.log.write(log_tag::End, "");
    tables::main_counters& c = txn_.svc.counters;
    c.s_req_hdrbytes += a.request_head;
    c.s_req_bodybytes += a.request_body;
    c.s_resp_hdrbytes += a.response_head;
    c.s_resp_bodybytes += a.response_body;
    if (txn_.workspace.overflowed()) {
        ++c.ws_client_overflow;
    }
    const base::seconds last = fsm_.host().times().previous();
    ended_ = last > 0 ? last : session_.context().loop.real_now();
    txn_.svc.logs.give(txn_.log);
}

} // namespace clearcoat::server
