// The response: from an object or made by vcl_synth, and what it is to look like on the wire.
#include "base/text_pieces.hpp"
#include "cache/body_writer.hpp"
#include "cache/index.hpp"
#include "cache/storage/storage_set.hpp"
#include "flow/object_reader.hpp"
#include "flow/request_fsm.hpp"
#include "http/conditional.hpp"
#include "http/date.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"

#include <algorithm>
#include <array>

namespace clearcoat::flow {

using tables::close_reason;

std::optional<request_action> request_fsm::deliver() noexcept {
    if (!set_up_response()) {
        drop_objects();
        txn_.error_status = 500;
        txn_.error_reason = {};
        go(&request_fsm::synth);
        return std::nullopt;
    }
    if (txn_.svc.params.http_range_support() && txn_.response.status() == 200 &&
        !txn_.object->has(cache::object_flag::is_private)) {
        txn_.response.force(http::field_id::accept_ranges, "bytes");
    }
    txn_.responding = 0;
    return call(vcl::sub_id::deliver, &request_fsm::after_deliver);
}

bool request_fsm::set_up_response() noexcept {
    const cache::object& o = *txn_.object;
    http::head& resp = txn_.response;
    resp.reset(txn_.workspace, txn_.svc.params.http_max_hdr(), &txn_.response_records);
    const http::packed_head_view packed = head_of(o);
    if (!packed.decode(resp)) {
        txn_.log.print(log_tag::Error, "Too many headers to Decode object ({} vs. {})", packed.field_count(),
                       resp.max_fields());
        return false;
    }
    resp.report();
    if (resp.protocol() != "HTTP/1.1") {
        resp.set_protocol("HTTP/1.1");
    }
    base::digits ids(txn_.log.vxid());
    if (txn_.is_hit) {
        ids.append(' ', o.vxid());
    }
    resp.add("X-Varnish", ids.text());
    const double age = std::max(0.0, host_.times().previous() - o.timing().t_origin);
    resp.add(http::field_id::age, base::digits(static_cast<std::uint64_t>(age)).text());
    resp.add(http::field_id::via, "1.1 varnish (Varnish/7.1)");
    if (txn_.svc.params.http_gzip_support() && o.has(cache::object_flag::gzipped) && !http::accepts_gzip(txn_.head)) {
        http::weaken_etag(resp);
    }
    return true;
}

void request_fsm::remake_response() noexcept {
    if (host_.current() == vcl::sub_id::synth) {
        set_up_synthetic();
    } else if (!set_up_response()) {
        host_.fail("Workspace overflow");
    }
}

void request_fsm::after_deliver(const vcl::outcome& o) noexcept {
    host_.mark("Process");
    if (o.result != vcl::action::deliver) {
        drop_objects();
        txn_.response.reset(txn_.workspace, txn_.svc.params.http_max_hdr(), &txn_.response_records);
        common_outcome(o);
        return;
    }
    if (txn_.is_top() &&
        http::answers_not_modified(txn_.head, txn_.response, txn_.received, txn_.object->last_modified())) {
        txn_.response.set_protocol("HTTP/1.1");
        txn_.response.set_status(304);
    }
    go(&request_fsm::transmit);
}

std::optional<request_action> request_fsm::synth() noexcept {
    ++txn_.svc.counters.s_synth;
    if (txn_.error_status < 100) {
        txn_.error_status = 501;
    }
    set_up_synthetic();
    txn_.filters = {};
    txn_.synthetic.clear();
    txn_.responding = 0;
    return call(vcl::sub_id::synth, &request_fsm::after_synth);
}

void request_fsm::set_up_synthetic() noexcept {
    http::head& resp = txn_.response;
    resp.reset(txn_.workspace, txn_.svc.params.http_max_hdr(), &txn_.response_records);
    resp.set_protocol("HTTP/1.1");
    resp.set_status(txn_.error_status, txn_.error_reason);
    std::array<char, http::date_size> date;
    resp.add(http::field_id::date, http::format_date(txn_.svc.clock.real(), date));
    resp.add(http::field_id::server, "Varnish");
    resp.add("X-Varnish", base::digits(txn_.log.vxid()).text());
    if (txn_.wants_continue) {
        // The body was never asked for: closing spares the client from sending it, unless VCL knows better.
        resp.add(http::field_id::connection, "close");
    }
}

void request_fsm::after_synth(const vcl::outcome& o) noexcept {
    host_.mark("Process");
    if (o.result == vcl::action::fail) {
        minimal_status_ = 500;
        txn_.closing = close_reason::vcl_failure;
        go(&request_fsm::synth_failed);
        return;
    }
    if (o.result == vcl::action::restart && txn_.restarts <= txn_.svc.params.max_restarts()) {
        txn_.response.reset(txn_.workspace, txn_.svc.params.http_max_hdr(), &txn_.response_records);
        go(&request_fsm::restart);
        return;
    }
    txn_.response.unset(http::field_id::content_length);
    txn_.response.add(http::field_id::content_length, base::digits(txn_.synthetic.size()).text());
    if (txn_.closing == close_reason::none && txn_.response.is(http::field_id::connection, "close")) {
        txn_.closing = close_reason::resp_close;
    }
    go(&request_fsm::drop_body_of_synth);
}

std::optional<request_action> request_fsm::synth_failed() noexcept {
    go(&request_fsm::failure_sent);
    return request_action::send_minimal;
}

std::optional<request_action> request_fsm::failure_sent() noexcept {
    host_.mark("Resp");
    return request_action::done;
}

std::optional<request_action> request_fsm::drop_body_of_synth() noexcept {
    if (drop_body_before(&request_fsm::store_synthetic)) {
        return request_action::drop_body;
    }
    return std::nullopt;
}

std::optional<request_action> request_fsm::store_synthetic() noexcept {
    txn_.object = txn_.svc.cache.make_private();
    cache::object& o = *txn_.object;
    bool stored = txn_.svc.cache.prepare(o, txn_.svc.cache.storages().transient(), 0, 0);
    if (stored) {
        const cache::storage& where = *o.where();
        txn_.log.join(log_tag::Storage, where.kind_name(), ' ', where.identity());
        cache::body_writer writer(txn_.svc.cache, txn_.object);
        stored = writer.append(txn_.synthetic);
        if (stored) {
            writer.finish(txn_.received);
        }
    }
    if (!stored) {
        txn_.log.write(log_tag::Error, "Could not get storage");
        txn_.closing = close_reason::overload;
        txn_.object.reset();
        host_.mark("Resp");
        return request_action::done;
    }
    go(&request_fsm::transmit);
    return std::nullopt;
}

std::optional<request_action> request_fsm::transmit() noexcept {
    if (txn_.body.now == received_body::state::failed && txn_.closing == close_reason::none) {
        txn_.closing = close_reason::rx_body;
    }
    go(&request_fsm::transmitted);
    if (!plan_delivery(txn_, host_, plan_)) {
        txn_.closing = close_reason::overload;
        return std::nullopt;
    }
    return request_action::deliver;
}

std::optional<request_action> request_fsm::transmitted() noexcept {
    host_.mark("Resp");
    if (txn_.object) {
        if (txn_.closing == close_reason::none && txn_.object->has(cache::object_flag::failed)) {
            txn_.closing = close_reason::tx_error;
        }
        drop_objects();
    }
    txn_.filters = {};
    return request_action::done;
}

} // namespace clearcoat::flow
