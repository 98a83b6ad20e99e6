// From the dissected head to what vcl_recv decided.
#include "base/ascii.hpp"
#include "flow/request_fsm.hpp"
#include "http/conditional.hpp"
#include "http/h1/framing.hpp"
#include "tables/bits.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"
#include "vcl/vm/instance.hpp"

namespace clearcoat::flow {

using tables::close_reason;

std::optional<request_action> request_fsm::transport() noexcept {
    if (const http::field* expect = txn_.head.find(http::field_id::expect)) {
        if (!base::equal_nocase(expect->value(), "100-continue")) {
            ++txn_.svc.counters.client_req_417;
            return minimal(417, close_reason::rx_junk, &request_fsm::end);
        }
        txn_.wants_continue = txn_.head.version() >= 11 && !txn_.pipelined;
        txn_.head.unset(http::field_id::expect);
    }
    switch (http::h1::apply_connection(txn_.head)) {
    case http::h1::persistence::keep:
        break;
    case http::h1::persistence::http10:
        txn_.closing = close_reason::req_http10;
        break;
    case http::h1::persistence::close:
        txn_.closing = close_reason::req_close;
        break;
    case http::h1::persistence::bad:
        ++txn_.svc.counters.client_req_400;
        return minimal(400, close_reason::rx_bad, &request_fsm::end);
    }
    txn_.original.copy(txn_.head);
    received_mark_ = txn_.workspace.position();
    go(&request_fsm::receive);
    return std::nullopt;
}

std::optional<request_action> request_fsm::receive() noexcept {
    log_request();
    const std::string_view repeated = http::h1::repeated_field_fault(txn_.original);
    if (!repeated.empty()) {
        txn_.log.write(log_tag::BogoHeader, repeated);
        ++txn_.svc.counters.client_req_400;
        const close_reason why = txn_.closing == close_reason::none ? close_reason::rx_junk : txn_.closing;
        return minimal(400, why, &request_fsm::end);
    }
    host_.use(*txn_.vcl);
    prepare_receive();
    go(&request_fsm::call_recv);
    return std::nullopt;
}

void request_fsm::log_request() noexcept {
    const session_facts& s = txn_.session;
    txn_.log.join(log_tag::ReqStart, s.client_ip_text, ' ', s.client_ip.port, ' ', s.local_socket);
    txn_.head.report();
}

void request_fsm::prepare_receive() noexcept {
    if (txn_.restarts == 0) {
        const std::string_view client = txn_.session.client_ip_text;
        txn_.head.collect(http::field_id::x_forwarded_for);
        const std::string_view before = txn_.head.get(http::field_id::x_forwarded_for);
        if (before.data() == nullptr) {
            txn_.head.add(http::field_id::x_forwarded_for, client);
        } else {
            char text[1024];
            const auto end = fmt::format_to_n(text, sizeof text, "{}, {}", before, client);
            if (end.size <= sizeof text) {
                txn_.head.replace(http::field_id::x_forwarded_for, {text, end.size});
            } else {
                txn_.head.replace(http::field_id::x_forwarded_for, fmt::format("{}, {}", before, client));
            }
        }
        txn_.head.collect(http::field_id::cache_control);
        txn_.backend_hint = txn_.vcl->default_backend();
        txn_.ttl_limit = -1;
        txn_.grace_limit = -1;
        txn_.esi_disabled = false;
        txn_.hash_always_miss = false;
        txn_.hash_ignore_busy = false;
        txn_.hash_ignore_vary = false;
        txn_.client_identity = {};
        txn_.storage = nullptr;
    }
    txn_.body_filters = {};
    txn_.is_hit = false;
    txn_.is_hitmiss = false;
    txn_.is_hitpass = false;
    txn_.error_status = 0;
    txn_.error_reason = {};
}

std::optional<request_action> request_fsm::call_recv() noexcept {
    return call(vcl::sub_id::recv, &request_fsm::after_recv);
}

void request_fsm::after_recv(const vcl::outcome& o) noexcept {
    received_ = o;
    if (o.result == vcl::action::fail) {
        go(&request_fsm::vcl_failed);
        return;
    }
    if (o.result == vcl::action::vcl && txn_.restarts == 0 && switch_vcl(o.label)) {
        go(&request_fsm::call_recv);
        return;
    }
    go(&request_fsm::after_recv_body);
}

bool request_fsm::switch_vcl(std::string_view label) noexcept {
    if (vcls_.active() != txn_.vcl) {
        return false;
    }
    vcl_hold target = vcls_.by_label(label);
    if (!target) {
        return false;
    }
    txn_.first_vcl = std::exchange(txn_.vcl, std::move(target));
    host_.restore_request();
    host_.use(*txn_.vcl);
    txn_.log.write(log_tag::VCL_use, fmt::format("{} via {}", txn_.vcl->name(), label));
    prepare_receive();
    return true;
}

std::optional<request_action> request_fsm::after_recv_body() noexcept {
    if (txn_.wants_continue && !txn_.late_continue) {
        txn_.wants_continue = false;
        return minimal(100, close_reason::none, &request_fsm::after_recv_body);
    }
    if (txn_.body.now == received_body::state::failed) {
        txn_.closing = close_reason::rx_body;
        return request_action::done;
    }
    const bool passes = received_.result == vcl::action::pipe || received_.result == vcl::action::pass;
    if (txn_.svc.params.http_gzip_support() && !passes) {
        if (http::accepts_gzip(txn_.head)) {
            txn_.head.force(http::field_id::accept_encoding, "gzip");
        } else {
            txn_.head.unset(http::field_id::accept_encoding);
        }
    }
    go(&request_fsm::hash);
    return std::nullopt;
}

std::optional<request_action> request_fsm::hash() noexcept {
    host_.begin_hash();
    return call(vcl::sub_id::hash, &request_fsm::after_hash);
}

void request_fsm::after_hash(const vcl::outcome& o) noexcept {
    txn_.digest = host_.end_hash();
    if (o.result == vcl::action::fail) {
        go(&request_fsm::vcl_failed);
        return;
    }
    follow_recv();
}

void request_fsm::follow_recv() noexcept {
    if (common_outcome(received_)) {
        return;
    }
    switch (received_.result) {
    case vcl::action::hash:
        go(&request_fsm::lookup);
        return;
    case vcl::action::purge:
        go(&request_fsm::purge);
        return;
    case vcl::action::pipe:
        if (txn_.is_top()) {
            go(&request_fsm::pipe);
            return;
        }
        txn_.log.write(log_tag::VCL_Error, "vcl_recv{} returns pipe for ESI included object.  Doing pass.");
        go(&request_fsm::pass);
        return;
    case vcl::action::vcl:
        txn_.log.print(log_tag::VCL_Error, "Illegal return(vcl): {}",
                       txn_.restarts != 0 ? "Not after restarts" : "Only from active VCL");
        txn_.error_status = 503;
        go(&request_fsm::synth);
        return;
    default:
        go(&request_fsm::pass);
    }
}

std::optional<request_action> request_fsm::restart() noexcept {
    if (++txn_.restarts > txn_.svc.params.max_restarts()) {
        txn_.log.write(log_tag::VCL_Error, "Too many restarts");
        txn_.error_status = 503;
        txn_.error_reason = {};
        go(&request_fsm::synth);
        return std::nullopt;
    }
    host_.mark("Restart");
    const base::vxid_number before = txn_.log.vxid();
    const base::vxid_number fresh = txn_.svc.vxids.next_vxid();
    txn_.log.print(log_tag::Link, "req {} restart", fresh);
    txn_.log.write(log_tag::End, "");
    txn_.log.reset(fresh, base::log_side::client);
    txn_.log.print(log_tag::Begin, "req {} restart", before);
    host_.times().mark(txn_.log, "Start", host_.times().previous());
    waited_ = false;
    txn_.error_status = 0;
    go(&request_fsm::receive);
    return std::nullopt;
}

/// Only the request as it came is left, so that the answer to a failure finds room. No subroutine runs, whose machine
/// might have something there.
void request_fsm::empty_workspace() noexcept {
    const unsigned slots = txn_.svc.params.http_max_hdr();
    txn_.client_identity = {};
    txn_.body_filters = {};
    txn_.workspace.rewind(received_mark_);
    txn_.head.reset(txn_.workspace, slots, &txn_.head_records);
    txn_.head.copy(txn_.original);
    txn_.response.reset(txn_.workspace, slots, &txn_.response_records);
}

std::optional<request_action> request_fsm::vcl_failed() noexcept {
    host_.restore_request();
    if (txn_.workspace.overflowed()) {
        ++txn_.svc.counters.ws_client_overflow;
        txn_.workspace.set_overflowed(false);
    }
    empty_workspace();
    txn_.error_status = 503;
    txn_.error_reason = "VCL failed";
    txn_.closing = close_reason::vcl_failure;
    txn_.filters = {};
    go(&request_fsm::synth);
    return std::nullopt;
}

} // namespace clearcoat::flow
