// The fetch machine's part up to the response: the backend request, vcl_backend_fetch, connecting and sending.
#include "base/text_pieces.hpp"
#include "flow/fetch_fsm.hpp"
#include "flow/object_reader.hpp"

#include "cache/index.hpp"
#include "cache/storage/storage_set.hpp"
#include "http/h1/format.hpp"
#include "http/head.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"
#include "vcl/vm/director.hpp"

#include <algorithm>
#include <cstring>

namespace clearcoat::flow {

void fetch_fsm::make_bereq() noexcept {
    const unsigned max_hdr = svc_.params.http_max_hdr();
    bereq0_.reset(workspace_, max_hdr, &bereq0_records_);
    bereq0_.copy_filtered(*request_.req,
                          host_.uncacheable ? http::filter_use::request_pass : http::filter_use::request_fetch);
    bereq0_.report();
    if (!host_.uncacheable) {
        if (bereq0_.method() != "GET") {
            bereq0_.set_method("GET");
        }
        if (svc_.params.http_gzip_support()) {
            bereq0_.force(http::field_id::accept_encoding, "gzip");
        }
    }
    if (bereq0_.protocol() != "HTTP/1.1") {
        bereq0_.set_protocol("HTTP/1.1");
    }
    if (request_.stale && !host_.uncacheable) {
        add_validators();
    }
    bereq0_.copy_home();
    host_.bereq.reset(workspace_, max_hdr, &host_.bereq_records);
    host_.bereq.copy(bereq0_);
}

void fetch_fsm::add_validators() noexcept {
    const cache::object& stale = *request_.stale;
    bool has_body = stale.state() < cache::object_state::finished || stale.length() != 0;
    if (!stale.has(cache::object_flag::ims_candidate) || !has_body) {
        return;
    }
    http::packed_head_view head = head_of(stale);
    if (std::string_view value = head.get(http::field_id::last_modified); value.data() != nullptr) {
        bereq0_.add(http::field_id::if_modified_since, value);
    }
    if (std::string_view value = head.get(http::field_id::etag); value.data() != nullptr) {
        bereq0_.add(http::field_id::if_none_match, value);
    }
}

fetch_fsm::reaction fetch_fsm::start_attempt() noexcept {
    cache::storage_set& storages = svc_.cache.storages();
    host_.storage = host_.uncacheable ? &storages.transient() : &storages.next();
    if (host_.retries > 0) {
        host_.bereq.unset(http::field_id::x_varnish);
    }
    host_.bereq.add(http::field_id::x_varnish, base::digits(log_.vxid()).text());
    fetch_failed_ = false;
    return call_vcl(vcl::sub_id::backend_fetch, step::after_backend_fetch);
}

fetch_fsm::reaction fetch_fsm::after_backend_fetch() noexcept {
    if (host_.body_given_up && request_.body != request_body::none) {
        request_.body = request_body::none;
        request_.cached_body.reset();
        give_up_request_body(false);
        target().advance(cache::object_state::request_sent);
    }
    host_.beresp.reset(workspace_, svc_.params.http_max_hdr(), &host_.beresp_records);
    if (outcome_.result == vcl::action::error) {
        take_error();
        go(step::backend_error);
    } else if (outcome_.result == vcl::action::fetch) {
        host_.mark("Fetch");
        extra_chance_ = true;
        go(step::get_response);
    } else {
        go(step::fail);
    }
    return {};
}

/// `return (error(status, reason))`.
void fetch_fsm::take_error() noexcept {
    error_status_ = outcome_.status;
    error_reason_ = outcome_.reason.data() == nullptr ? outcome_.reason : workspace_.copy(outcome_.reason);
}

fetch_fsm::reaction fetch_fsm::get_response() noexcept {
    vcl::director* concrete = resolve();
    if (concrete == nullptr) {
        return connection_failed();
    }
    host_.used_backend = concrete;
    backend_ = port_.facts_of(*concrete);
    if (!host_.bereq.has(http::field_id::host) && backend_.host_header.data() != nullptr) {
        host_.bereq.add(http::field_id::host, backend_.host_header);
    }
    find_timeouts();
    return connect_action();
}

vcl::director* fetch_fsm::resolve() noexcept {
    vcl::director* chosen = host_.choice.backend;
    if (chosen == nullptr) {
        log_.write(log_tag::FetchError, "No backend");
        return nullptr;
    }
    while (chosen != nullptr && !chosen->concrete()) {
        chosen = chosen->resolve(host_);
    }
    if (chosen == nullptr) {
        log_.print(log_tag::FetchError, "Director {} returned no backend", host_.choice.backend->name());
    }
    return chosen;
}

namespace {

/// VCL's value, else the backend's, else the parameter's.
base::seconds first_set(base::seconds a, base::seconds b, base::seconds c) noexcept {
    return a != 0 ? a : b != 0 ? b : c;
}

} // namespace

void fetch_fsm::find_timeouts() noexcept {
    connect_timeout_ = first_set(host_.choice.connect_timeout, backend_.connect_timeout, svc_.params.connect_timeout());
    first_byte_timeout_ =
        first_set(host_.choice.first_byte_timeout, backend_.first_byte_timeout, svc_.params.first_byte_timeout());
    between_bytes_timeout_ = first_set(host_.choice.between_bytes_timeout, backend_.between_bytes_timeout,
                                       svc_.params.between_bytes_timeout());
}

/// A timeout, shortened so that the task's deadline holds.
base::seconds fetch_fsm::within_deadline(base::seconds timeout) const noexcept {
    base::seconds deadline = host_.choice.task_deadline;
    if (deadline <= 0) {
        return timeout;
    }
    base::seconds left = host_.times().first() + deadline - svc_.clock.real();
    return std::clamp(left, 0.0, timeout);
}

fetch_action fetch_fsm::connect_action() noexcept {
    fetch_action action;
    action.what = fetch_action::kind::connect;
    action.backend = host_.used_backend;
    action.timeout = within_deadline(connect_timeout_);
    action.fresh = !extra_chance_;
    return action;
}

fetch_action fetch_fsm::on_connect_failed(connect_fault fault, std::string_view why) noexcept {
    switch (fault) {
    case connect_fault::unhealthy:
        ++svc_.counters.backend_unhealthy;
        break;
    case connect_fault::busy:
        ++svc_.counters.backend_busy;
        break;
    default:
        ++svc_.counters.backend_fail;
    }
    log_.write(log_tag::FetchError, why);
    if (reaction r = connection_failed()) {
        return *r;
    }
    return run();
}

/// There will be no response head in this attempt.
fetch_fsm::reaction fetch_fsm::connection_failed() noexcept {
    host_.response_time = host_.mark("Beresp");
    go(step::backend_error);
    return {};
}

fetch_action fetch_fsm::on_connected(const connection_facts& facts) noexcept {
    connected_ = true;
    rolled_back_ = false;
    connection_ = facts;
    close_ = tables::close_reason::none;
    extra_chance_ = extra_chance_ && facts.reused;
    host_.has_backend_ip = facts.remote.has_value();
    if (facts.remote) {
        host_.backend_ip = *facts.remote;
    }
    ++(facts.reused ? svc_.counters.backend_reuse : svc_.counters.backend_conn);
    host_.mark("Connected");
    account_.bereq_header += facts.proxy_bytes;
    log_.write(log_tag::BackendOpen, facts.open_record);
    if (!make_send_filters()) {
        log_.write(log_tag::FetchError, send_filters_.error());
        close_ = tables::close_reason::overload;
        host_.mark("Bereq");
        return attempt_failed(false);
    }
    return send_action();
}

bool fetch_fsm::make_send_filters() {
    return request_.body == request_body::none || host_.request_filters.empty() ||
           send_filters_.build(host_.request_filters, host_.bereq, workspace_, host_);
}

fetch_action fetch_fsm::send_action() noexcept {
    fetch_action action;
    action.what = fetch_action::kind::send;
    action.chunked = request_.body == request_body::chunked || send_filters_.stage() != nullptr;
    if (action.chunked) {
        host_.bereq.replace(http::field_id::transfer_encoding, "chunked");
    }
    std::size_t size = http::h1::request_size(host_.bereq);
    if (request_text_.size() < size) {
        request_text_.resize(size);
    }
    action.head = {request_text_.data(), http::h1::format_request(host_.bereq, {request_text_.data(), size})};
    sent_head_ = size;
    return action;
}

fetch_action fetch_fsm::on_sent(const send_report& report) noexcept {
    account_.bereq_header += std::min<std::uint64_t>(report.bytes, sent_head_);
    account_.bereq_body += report.bytes - std::min<std::uint64_t>(report.bytes, sent_head_);
    if (body_owed_) {
        no_retry_ = "req.body not cached";
        give_up_request_body(report.what == send_report::fault::client);
    }
    if (report.what == send_report::fault::none) {
        host_.mark("Bereq");
        return await_head();
    }
    if (report.what == send_report::fault::client) {
        log_.print(log_tag::FetchError, "req.body read error: {} ({})", report.error, std::strerror(report.error));
    }
    close_ = report.error == EPIPE && report.what == send_report::fault::backend ? tables::close_reason::rem_close
                                                                                 : tables::close_reason::tx_error;
    log_.print(log_tag::FetchError, "backend write error: {} ({}) ({}", report.error, std::strerror(report.error),
               tables::text_of(close_));
    host_.mark("Bereq");
    return attempt_failed(false);
}

} // namespace clearcoat::flow
