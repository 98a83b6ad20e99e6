#include "server/h1_session.hpp"

#include "flow/services.hpp"
#include "http/h1/format.hpp"
#include "net/proxy_preamble.hpp"
#include "server/h1_request.hpp"
#include "tables/counters.hpp"
#include "tables/param_block.hpp"

#include <new>
#include <utility>

#include <fmt/core.h>
#include <sys/socket.h>
#include <unistd.h>

namespace clearcoat::server {

using tables::close_reason;

namespace {

constexpr unsigned served_in_a_row = 32; // requests, before other sessions get a turn

} // namespace

const std::size_t h1_session::memory_size = sizeof(h1_session);

void h1_session::start(loop_context& context, const listener& from, const net::accepted& socket) {
    void* place = context.loop.sessions().try_enter() ? context.sessions.take() : nullptr;
    if (place == nullptr) {
        ::close(socket.fd);
        return;
    }
    auto* session = new (place) h1_session(context, from);
    session->open(socket);
    context.loop.spawn(session->run());
}

h1_session::h1_session(loop_context& context, const listener& from) noexcept
    : context_(context), listener_(from), stream_(context.loop) {
    context.loop.connections().push_back(*this);
}

h1_session::~h1_session() {
    context_.loop.connections().erase(*this);
}

void h1_session::shut() noexcept {
    stopping_ = true;
    stream_.shut();
    if (serving_ != nullptr) {
        serving_->shut();
    }
}

void h1_session::open(const net::accepted& socket) noexcept {
    opened_ = context_.loop.real_now();
    idle_since_ = opened_;
    facts_ = std::make_shared<flow::session_facts>();
    facts_->vxid = context_.flow.vxids.next_vxid();
    facts_->descriptor = socket.fd;
    facts_->local_socket = listener_.name;
    facts_->local_endpoint = listener_.endpoint;
    net::set_no_delay(socket.fd, true);
    const int error = stream_.adopt(socket.fd, socket.peer);
    if (error != 0) {
        stopping_ = true;
        return;
    }
    stream_.call_when_readable(this);
    facts_->remote_ip = facts_->client_ip = socket.peer;
    facts_->local_ip = facts_->server_ip = stream_.local_address();
    facts_->client_ip_text = base::to_string(facts_->client_ip);
    if (listener_.is_unix) {
        ucred credentials{};
        socklen_t size = sizeof credentials;
        if (::getsockopt(socket.fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0) {
            facts_->peer = vcl::peer_credentials{credentials.uid, credentials.gid};
        }
    }
    ++context_.flow.counters.sess_conn;
    ++context_.flow.counters.s_sess;
    log_open(socket.fd);
}

void h1_session::log_open(int fd) noexcept {
    base::task_log& log = context_.flow.logs.take(facts_->vxid, base::log_side::client);
    log.print(log_tag::Begin, "sess 0 {}", listener_.proxy ? "PROXY" : "HTTP/1");
    log.print(log_tag::SessOpen, "{} {} {} {} {} {:.6f} {}", facts_->client_ip_text, facts_->client_ip.port,
              listener_.name, base::to_string(facts_->local_ip), facts_->local_ip.port, opened_, fd);
    context_.flow.logs.give(log);
}

void h1_session::log(log_tag tag, std::string_view text) noexcept {
    context_.flow.logs.write_one(facts_->vxid, base::log_side::client, tag, text);
}

net::task<> h1_session::run() {
    loop_context& context = context_;
    unsigned served = 0;
    close_reason why = stopping_ ? close_reason::overload : close_reason::none;
    if (listener_.proxy && why == close_reason::none) {
        why = co_await read_preamble();
    }
    while (why == close_reason::none) {
        const head_state state = read_head(why);
        if (state == head_state::waiting) {
            awaits_head_ = true;
            const net::wait_status waited = co_await stream_.wait_readable(head_deadline());
            awaits_head_ = false;
            if (waited != net::wait_status::ready) {
                why = reason_of(net::status_of(waited));
            }
        } else if (state == head_state::complete) {
            h1_request* request = begin_request();
            bool ended = request == nullptr;
            if (!ended && request->prepare_now()) {
                if (context.loop.has_company()) {
                    const net::wait_status sent = co_await request->send_together();
                    ended = request->end_now(sent);
                } else {
                    ended = request->send_now();
                }
            }
            if (!ended) {
                co_await request->serve_on();
            }
            why = end_request();
            const bool more = !received_.empty() || stream_.readable();
            if (++served % served_in_a_row == 0 && more && why == close_reason::none) {
                // A client that never lets us wait must not keep others waiting.
                static_cast<void>(co_await stream_.yield());
            }
        }
        if (stopping_ && why == close_reason::none) {
            why = close_reason::rem_close;
        }
    }
    close(why);
    this->~h1_session();
    context.sessions.give(this);
    context.loop.sessions().leave();
}

h1_request* h1_session::begin_request() {
    const std::size_t head_size = scanner_.size();
    void* place = context_.requests.take();
    if (place == nullptr) {
        return nullptr;
    }
    serving_ = new (place) h1_request(*this, std::move(received_), head_size);
    serving_->set_times(first_byte_, context_.loop.real_now());
    return serving_;
}

close_reason h1_session::end_request() noexcept {
    h1_request* request = std::exchange(serving_, nullptr);
    if (request == nullptr) {
        return close_reason::overload;
    }
    const close_reason why = request->closing();
    idle_since_ = request->ended();
    request->~h1_request();
    context_.requests.give(request);
    first_byte_ = 0;
    scanner_.reset();
    if (!received_.empty()) {
        ++context_.flow.counters.sess_readahead;
    }
    return why;
}

base::seconds h1_session::head_deadline() const noexcept {
    const base::seconds idle =
        flow::session_settings::or_parameter(settings_.timeout_idle, context_.flow.params.timeout_idle());
    // The parameter counts from the end of the last request, in real time; the loop's deadlines are monotonic.
    return context_.loop.deadline_in(idle_since_ + idle - context_.loop.real_now());
}

http::h1::scan_state h1_session::scan_head() noexcept {
    const http::h1::scan_state state = scanner_.scan(received_.bytes());
    if (state == http::h1::scan_state::empty) {
        received_.drop(received_.size());
        scanner_.reset();
    } else if (first_byte_ == 0) {
        first_byte_ = context_.loop.real_now();
    }
    return state;
}

close_reason h1_session::reason_of(net::io_status s) const noexcept {
    switch (s) {
    case net::io_status::timed_out:
        return received_.empty() ? close_reason::rx_close_idle : close_reason::rx_timeout;
    default:
        return close_reason::rem_close;
    }
}

void h1_session::make() noexcept {
    const std::span<char> room = room_for_head();
    if (room.empty()) {
        return; // read_head() meets it too
    }
    const net::io_result got = stream_.try_read(room);
    if (got.ok()) {
        received_.added(got.bytes);
    }
}

net::call_description h1_session::describe() noexcept {
    const std::span<char> room = room_for_head();
    asked_ = static_cast<std::uint32_t>(room.size());
    return room.empty() ? net::call_description() : stream_.describe_read(room);
}

void h1_session::made(int returned) noexcept {
    const net::io_result got = stream_.read_made(asked_, returned);
    if (got.ok()) {
        received_.added(got.bytes);
    }
}

/// Empty while nobody waits for a head, when a head is too long, and when memory is out.
std::span<char> h1_session::room_for_head() noexcept {
    return awaits_head_ ? received_.room(context_.loop.buffers(), context_.flow.params.http_req_size())
                        : std::span<char>();
}

h1_session::head_state h1_session::read_head(close_reason& why) noexcept {
    using http::h1::scan_state;
    const std::size_t limit = context_.flow.params.http_req_size();
    scan_state state = received_.empty() ? scan_state::empty : scan_head();
    while (state == scan_state::empty || state == scan_state::more) {
        if (!stream_.readable()) {
            if (received_.empty()) {
                received_.release();
            }
            return head_state::waiting;
        }
        const std::span<char> room = received_.room(context_.loop.buffers(), limit);
        if (room.empty()) {
            why = close_reason::rx_overflow;
            answer_overflow();
            return head_state::failed;
        }
        const net::io_result got = stream_.try_read(room);
        if (got.ok()) {
            received_.added(got.bytes);
            state = scan_head();
        } else if (got.status != net::io_status::would_block) {
            why = reason_of(got.status);
            return head_state::failed;
        }
    }
    if (state == scan_state::h2_preface) {
        why = close_reason::req_http20;
        return head_state::failed;
    }
    return head_state::complete;
}

/// The connection ends behind it, whether the client takes it or not.
void h1_session::answer_overflow() noexcept {
    const unsigned status = context_.flow.params.http_req_overflow_status();
    if (status != 0) {
        char text[80];
        ::iovec piece = net::piece(std::string_view(text, http::h1::format_minimal_response(status, text)));
        std::span<::iovec> pieces(&piece, 1);
        static_cast<void>(stream_.try_write(pieces));
    }
}

net::task<close_reason> h1_session::read_preamble() {
    net::proxy_preamble found = net::parse_proxy_preamble({});
    const base::seconds deadline = head_deadline();
    while (found.result == net::proxy_preamble::state::more) {
        const std::span<char> room = received_.room(context_.loop.buffers(), net::proxy_preamble_limit);
        if (room.empty()) {
            co_return close_reason::rx_overflow;
        }
        const net::io_result got = co_await stream_.read_some(room, deadline);
        if (!got.ok()) {
            co_return got.status == net::io_status::timed_out ? close_reason::rx_timeout : close_reason::rem_close;
        }
        received_.added(got.bytes);
        found = net::parse_proxy_preamble(received_.bytes());
    }
    if (!found.complaint.empty()) {
        log(log_tag::ProxyGarbage, found.complaint);
    }
    if (found.result != net::proxy_preamble::state::accepted) {
        co_return found.result == net::proxy_preamble::state::junk ? close_reason::rx_junk : close_reason::rx_overflow;
    }
    if (!found.record.empty()) {
        log(log_tag::Proxy, found.record);
    }
    if (found.has_addresses) {
        facts_->client_ip = found.client;
        facts_->server_ip = found.server;
        facts_->client_ip_text = base::to_string(found.client);
    }
    keep_tlvs(found.tlvs);
    received_.drop(found.consumed);
    co_return close_reason::none;
}

void h1_session::keep_tlvs(std::string_view tlvs) {
    if (tlvs.empty()) {
        return;
    }
    facts_->proxy_tlvs = std::make_unique<std::map<std::uint8_t, std::string>>();
    for (unsigned type = 0; type < 256; ++type) {
        const std::string_view value = net::find_proxy_tlv(tlvs, static_cast<std::uint8_t>(type));
        if (value.data() != nullptr) {
            facts_->proxy_tlvs->emplace(static_cast<std::uint8_t>(type), value);
        }
    }
}

void h1_session::close(close_reason why) noexcept {
    received_.release();
    stream_.close();
    tables::count_close(context_.flow.counters, why);
    base::task_log& log = context_.flow.logs.take(facts_->vxid, base::log_side::client);
    log.print(log_tag::SessClose, "{} {:.3f}", tables::name_of(why), context_.loop.real_now() - opened_);
    log.write(log_tag::End, "");
    context_.flow.logs.give(log);
}

} // namespace clearcoat::server
