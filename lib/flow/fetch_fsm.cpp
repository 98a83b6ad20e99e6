#include "flow/fetch_fsm.hpp"

#include "cache/index.hpp"
#include "http/head.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"
#include "vcl/vm/instance.hpp"

namespace clearcoat::flow {

std::string_view name_of(fetch_mode mode) noexcept {
    switch (mode) {
    case fetch_mode::miss:
        return "fetch";
    case fetch_mode::pass:
        return "pass";
    case fetch_mode::background:
        return "bgfetch";
    }
    return "fetch";
}

fetch_fsm::fetch_fsm(services& svc, fetch_port& port, fetch_request&& request)
    : svc_(svc), port_(port), request_(std::move(request)),
      log_(svc.logs.take(svc.vxids.next_vxid(), base::log_side::backend)),
      workspace_(svc.chunks, svc.params.workspace_backend()), host_(svc, log_, workspace_, port, *request_.session),
      bereq0_records_(vcl::message::bereq, log_, workspace_, svc.counters) {
    host_.use(*request_.program);
    host_.set_rollback_listener(this);
    host_.uncacheable = request_.mode == fetch_mode::pass;
    host_.is_bgfetch = request_.mode == fetch_mode::background;
    host_.is_hitmiss = request_.is_hitmiss;
    host_.is_hitpass = request_.is_hitpass;
    host_.set_traces(request_.traces);
    host_.hash = request_.hash;
    host_.choice.backend = request_.backend;
    host_.has_request_body = request_.body != request_body::none;
    if (request_.client_identity.data() != nullptr) {
        host_.client_identity = workspace_.copy(request_.client_identity);
    }
    body_owed_ = request_.body == request_body::length || request_.body == request_body::chunked;
    log_.join(log_tag::Begin, "bereq ", request_.parent, ' ', name_of(request_.mode));
    log_.write(log_tag::VCL_use, request_.program->name());
    host_.mark("Start");
    make_bereq();
    request_.req = nullptr;
}

fetch_fsm::~fetch_fsm() {
    if (!closed_) {
        close_transaction();
    }
}

fetch_action fetch_fsm::start() noexcept {
    if (!body_owed_) {
        target().advance(cache::object_state::request_sent);
    }
    return run();
}

fetch_action fetch_fsm::run() noexcept {
    while (true) {
        if (reaction r = take_step()) {
            return *r;
        }
    }
}

fetch_fsm::reaction fetch_fsm::take_step() noexcept {
    switch (next_) {
    case step::start_attempt:
        return start_attempt();
    case step::after_backend_fetch:
        return after_backend_fetch();
    case step::get_response:
        return get_response();
    case step::reconnect:
        return connect_action();
    case step::no_response:
        return connection_failed();
    case step::after_head:
        return after_head();
    case step::after_backend_refresh:
        return after_backend_refresh();
    case step::after_backend_response:
        return after_backend_response();
    case step::conditional:
        return conditional();
    case step::copy_stale:
        return copy_stale();
    case step::store:
        return store();
    case step::store_body:
        return store_body();
    case step::end:
        return end();
    case step::backend_error:
        return backend_error();
    case step::after_backend_error:
        return after_backend_error();
    case step::retry:
        return retry();
    case step::fail:
        return fail();
    case step::done:
        break;
    }
    return close_transaction();
}

/// Closes the filters and gives the connection away, then goes on with `next`.
fetch_fsm::reaction fetch_fsm::release_then(step next) noexcept {
    body_.close(log_);
    account_.beresp_body += body_.take_received();
    host_.filters = {};
    go(next);
    if (!connected_) {
        return {};
    }
    connected_ = false;
    bool recycle = close_ == tables::close_reason::none && connection_.keepable;
    if (recycle) {
        log_.print(log_tag::BackendClose, "{} {} recycle", connection_.fd, backend_.display_name);
        ++svc_.counters.backend_recycle;
    } else {
        log_.print(log_tag::BackendClose, "{} {} close {}", connection_.fd, backend_.display_name,
                   tables::text_of(close_));
    }
    fetch_action action;
    action.what = fetch_action::kind::release;
    action.recycle = recycle;
    action.account = &account_;
    return action;
}

fetch_action fetch_fsm::on_released() noexcept {
    return run();
}

fetch_fsm::reaction fetch_fsm::call_vcl(vcl::sub_id which, step next) noexcept {
    outcome_ = vcl_.start(which, host_, svc_.counters);
    go(next);
    vcl_waits_ = outcome_.what == vcl::outcome::state::pending;
    if (!vcl_waits_) {
        return {};
    }
    fetch_action action;
    action.what = fetch_action::kind::wait_vcl;
    return action;
}

fetch_action fetch_fsm::on_woken() noexcept {
    if (vcl_waits_) {
        outcome_ = vcl_.resume(host_, svc_.counters);
        vcl_waits_ = outcome_.what == vcl::outcome::state::pending;
        if (vcl_waits_) {
            fetch_action action;
            action.what = fetch_action::kind::wait_vcl;
            return action;
        }
    }
    return run();
}

fetch_action fetch_fsm::cancel() noexcept {
    vcl_waits_ = false;
    close_ = tables::close_reason::overload;
    if (next_ != step::done) {
        go(step::fail);
    }
    if (reaction r = release_then(next_)) {
        return *r;
    }
    return run();
}

fetch_fsm::reaction fetch_fsm::retry() noexcept {
    if (!no_retry_.empty()) {
        log_.print(log_tag::Error, "Retry not possible, {}", no_retry_);
        go(step::fail);
        return {};
    }
    host_.mark("Retry");
    host_.forget_response();
    error_status_ = 0;
    error_reason_ = {};
    close_ = tables::close_reason::none;
    base::vxid_number before = log_.vxid();
    base::vxid_number next = svc_.vxids.next_vxid();
    log_.print(log_tag::Link, "bereq {} retry", next);
    log_.write(log_tag::End, {});
    log_.reset(next, base::log_side::backend);
    log_.print(log_tag::Begin, "bereq {} retry", before);
    host_.times().mark(log_, "Start", host_.times().previous());
    host_.bereq.report();
    go(step::start_attempt);
    return {};
}

fetch_fsm::reaction fetch_fsm::fail() noexcept {
    if (writer_) {
        writer_->drop();
        writer_.reset();
    }
    svc_.cache.abandon(target());
    go(step::done);
    return {};
}

/// The object is complete: the connection is given back first, so that a test sees it reused.
fetch_fsm::reaction fetch_fsm::finish_body() noexcept {
    if (!body_.keep_products(svc_.cache, target())) {
        body_.run_out_of_room();
        return body_failed();
    }
    return release_then(step::end);
}

fetch_fsm::reaction fetch_fsm::end() noexcept {
    if (!host_.do_stream) {
        publish();
    }
    length_ = writer_->written();
    writer_->finish(svc_.clock.real());
    writer_.reset();
    host_.mark("BerespBody");
    if (request_.stale) {
        svc_.cache.kill(*request_.stale);
    }
    go(step::done);
    return {};
}

fetch_action fetch_fsm::close_transaction() noexcept {
    closed_ = true;
    give_up_request_body(false);
    if (writer_) {
        writer_->drop();
        writer_.reset();
    }
    if (target().state() < cache::object_state::finished) {
        svc_.cache.abandon(target());
    }
    host_.end_privates();
    if (target().state() == cache::object_state::finished) {
        log_.print(log_tag::Length, "{}", length_);
    }
    log_.join(log_tag::BereqAcct, account_.bereq_header, ' ', account_.bereq_body, ' ',
              account_.bereq_header + account_.bereq_body, ' ', account_.beresp_header, ' ', account_.beresp_body, ' ',
              account_.beresp_header + account_.beresp_body);
    log_.write(log_tag::End, {});
    if (workspace_.overflowed()) {
        ++svc_.counters.ws_backend_overflow;
    }
    svc_.logs.give(log_);
    return {};
}

void fetch_fsm::fetch_error(std::string_view text) noexcept {
    if (!fetch_failed_) {
        log_.write(log_tag::FetchError, text);
    }
    fetch_failed_ = true;
}

void fetch_fsm::give_up_request_body(bool bad) noexcept {
    if (body_owed_) {
        body_owed_ = false;
        port_.request_body_done(bad);
    }
}

void fetch_fsm::bereq_rolled_back() noexcept {
    if (connected_ && framing_.kind != http::h1::body_kind::none) {
        close_ = tables::close_reason::resp_close;
    }
    rolled_back_ = connected_;
    host_.end_privates();
    host_.bereq.reset(workspace_, svc_.params.http_max_hdr(), &host_.bereq_records);
    host_.bereq.copy(bereq0_);
    host_.filters = {};
    error_reason_ = {};
    workspace_.set_overflowed(false);
}

} // namespace clearcoat::flow
