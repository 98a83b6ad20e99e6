// The fetch machine's part between the request and the body: receiving the response's head, how long it may be kept,
// revalidation, vcl_backend_response.
#include "flow/fetch_fsm.hpp"
#include "flow/object_reader.hpp"

#include "cache/index.hpp"
#include "http/conditional.hpp"
#include "http/date.hpp"
#include "http/freshness.hpp"
#include "http/h1/dissect.hpp"
#include "http/range.hpp"
#include "http/tokens.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"
#include "vcl/vm/instance.hpp"

#include <array>

namespace clearcoat::flow {

using tables::close_reason;

namespace {

/// Room behind the head for bytes of the body that must pass a filter or a decoder.
constexpr std::size_t body_room = 16 * 1024;

} // namespace

fetch_action fetch_fsm::await_head() noexcept {
    ++svc_.counters.backend_req;
    head_limit_ = svc_.params.http_resp_size();
    if (buffer_size_ < head_limit_ + body_room) {
        buffer_size_ = head_limit_ + body_room;
        buffer_.reset(new char[buffer_size_]);
    }
    filled_ = 0;
    scanner_.reset();
    head_begun_ = false;
    return read_head_action();
}

fetch_action fetch_fsm::read_head_action() noexcept {
    fetch_action action;
    action.what = fetch_action::kind::read;
    action.timeout = within_deadline(head_begun_ ? between_bytes_timeout_ : first_byte_timeout_);
    action.room = {buffer_.get() + filled_, head_limit_ - filled_};
    return action;
}

fetch_action fetch_fsm::on_read(const read_report& report) noexcept {
    return receiving_body_ ? on_body_bytes(report) : on_head_bytes(report);
}

fetch_action fetch_fsm::on_head_bytes(const read_report& report) noexcept {
    switch (report.what) {
    case read_report::kind::data:
        break;
    case read_report::kind::timed_out:
        if (connection_.reused && filled_ == 0) {
            extra_chance_ = false;
            return head_failed("first byte timeout (reused connection)", close_reason::rx_timeout);
        }
        return head_failed(head_begun_ ? "timeout" : "first byte timeout", close_reason::rx_timeout);
    default:
        return head_failed("HTC eof (-1)", close_reason::rx_bad);
    }
    filled_ += report.bytes;
    switch (scanner_.scan({buffer_.get(), filled_})) {
    case http::h1::scan_state::complete:
    case http::h1::scan_state::h2_preface: // a response that begins so is junk, as dissecting it tells
        return dissect_head();
    case http::h1::scan_state::more:
        head_begun_ = true;
        break;
    case http::h1::scan_state::empty:
        break;
    }
    return filled_ < head_limit_ ? read_head_action() : head_failed("overflow", close_reason::rx_overflow);
}

fetch_action fetch_fsm::head_failed(std::string_view why, close_reason reason) noexcept {
    account_.beresp_header += filled_;
    log_.write(log_tag::FetchError, why);
    close_ = reason;
    return attempt_failed(filled_ == 0);
}

/// The connection goes; when it was a used one that died before it said a word, a fresh one gets the same request.
fetch_action fetch_fsm::attempt_failed(bool nothing_came) noexcept {
    bool again = nothing_came && extra_chance_ && host_.retry_connect && no_retry_.empty();
    if (again) {
        ++svc_.counters.backend_retry;
    }
    extra_chance_ = false;
    reaction r = release_then(again ? step::reconnect : step::no_response);
    return r ? *r : run();
}

fetch_action fetch_fsm::dissect_head() noexcept {
    http::h1::dissected result = http::h1::dissect_response({buffer_.get(), filled_}, host_.beresp,
                                                            svc_.params.http_resp_hdr_len(), host_.bereq.version());
    if (!result.ok()) {
        char room[80];
        if (std::string_view record = result.write_record(room); !record.empty()) {
            log_.write(log_tag::BogoHeader, record);
        }
        log_.write(log_tag::HttpGarbage, {buffer_.get(), filled_});
        return head_failed("http format error", close_reason::rx_junk);
    }
    head_size_ = result.size;
    account_.beresp_header += head_size_;
    switch (http::h1::apply_connection(host_.beresp)) {
    case http::h1::persistence::keep:
        close_ = close_reason::none;
        break;
    case http::h1::persistence::http10:
        close_ = close_reason::req_http10;
        break;
    case http::h1::persistence::close:
        close_ = close_reason::resp_close;
        break;
    case http::h1::persistence::bad:
        close_ = close_reason::rx_bad;
        break;
    }
    framing_ = http::h1::framing_of_response(host_.beresp, host_.bereq.method());
    host_.has_body = framing_.kind != http::h1::body_kind::none;
    count_framing();
    body_.reset(framing_);
    go(step::after_head);
    return run();
}

void fetch_fsm::count_framing() noexcept {
    tables::main_counters& n = svc_.counters;
    unsigned status = host_.beresp.status();
    if (host_.bereq.method() == "HEAD") {
        ++n.fetch_head;
    } else if (status < 200) {
        ++n.fetch_1xx;
    } else if (status == 204) {
        ++n.fetch_204;
    } else if (status == 304) {
        ++n.fetch_304;
    } else {
        std::uint64_t* const by_kind[] = {&n.fetch_none, &n.fetch_length, &n.fetch_chunked, &n.fetch_eof, &n.fetch_bad};
        ++*by_kind[static_cast<std::size_t>(framing_.kind)];
    }
}

fetch_fsm::reaction fetch_fsm::after_head() noexcept {
    host_.response_time = host_.mark("Beresp");
    host_.beresp.report();
    if (!framing_.ok()) {
        close_ = close_reason::rx_body;
        reaction r = release_then(step::backend_error);
        log_.write(log_tag::Error, "Body cannot be fetched");
        return r;
    }
    http::head& beresp = host_.beresp;
    if (!beresp.has(http::field_id::date)) {
        std::array<char, http::date_size> room;
        beresp.add(http::field_id::date, http::format_date(host_.response_time, room));
    }
    beresp.collect(http::field_id::cache_control);
    beresp.collect(http::field_id::vary);
    compute_timing();
    return beresp.status() % 1000 == 304 ? not_modified() : respond();
}

fetch_fsm::reaction fetch_fsm::respond() noexcept {
    if (close_ == close_reason::none && http::has_token(host_.bereq, http::field_id::connection, "close")) {
        close_ = close_reason::req_close;
    }
    return call_vcl(vcl::sub_id::backend_response, step::after_backend_response);
}

void fetch_fsm::compute_timing() noexcept {
    http::freshness_defaults defaults;
    defaults.default_ttl = svc_.params.default_ttl();
    defaults.default_grace = svc_.params.default_grace();
    defaults.default_keep = svc_.params.default_keep();
    defaults.clock_skew = svc_.params.clock_skew();
    bool is_private = target().has(cache::object_flag::is_private);
    http::freshness f = http::compute_freshness(host_.beresp, host_.response_time, defaults, is_private);
    host_.timing.t_origin = f.origin;
    host_.timing.ttl = f.ttl;
    host_.timing.grace = f.grace;
    host_.timing.keep = f.keep;
    if (!is_private) {
        char room[160];
        log_.write(log_tag::TTL, f.write_record(!host_.uncacheable, room));
    }
}

/// A 304: of the stale object, unless nobody asked for one. A VCL that says nothing of it gets the merged head without
/// a call that would show in the log, as the reference before vcl_backend_refresh does.
fetch_fsm::reaction fetch_fsm::not_modified() noexcept {
    if (request_.stale && request_.stale->has(cache::object_flag::ims_candidate)) {
        host_.was_304 = true;
        if (host_.program().has_own(vcl::sub_id::backend_refresh)) {
            host_.stale = request_.stale.get();
            return call_vcl(vcl::sub_id::backend_refresh, step::after_backend_refresh);
        }
        merge_stale();
    } else if (!host_.uncacheable) {
        log_.write(log_tag::Error, "304 response but not conditional fetch");
        close_ = close_reason::rx_bad;
        return release_then(step::backend_error);
    }
    return respond();
}

/// The new head takes over what the stale object has.
void fetch_fsm::merge_stale() noexcept {
    http::head& beresp = host_.beresp;
    if (request_.stale->has(cache::object_flag::encoding_changed)) {
        http::weaken_etag(beresp);
    }
    beresp.unset(http::field_id::content_encoding);
    beresp.unset(http::field_id::content_length);
    head_of(*request_.stale).merge_into(beresp);
}

/// The new head stays as VCL left it, but for what belongs to the body, and what the next revalidation needs.
void fetch_fsm::keep_validators() noexcept {
    http::head& beresp = host_.beresp;
    const http::packed_head_view stale = head_of(*request_.stale);
    beresp.set_status(200);
    beresp.unset(http::field_id::content_length);
    beresp.unset(http::field_id::content_encoding);
    for (const http::field_id id : {http::field_id::content_length, http::field_id::content_encoding,
                                    http::field_id::last_modified, http::field_id::etag}) {
        const std::string_view value = stale.get(id);
        if (value.data() != nullptr) {
            beresp.force(id, value);
        }
    }
}

fetch_fsm::reaction fetch_fsm::after_backend_refresh() noexcept {
    host_.stale = nullptr;
    switch (outcome_.result) {
    case vcl::action::merge:
        merge_stale();
        return respond();
    case vcl::action::beresp:
        keep_validators();
        return respond();
    case vcl::action::obj_stale:
        host_.beresp.reset(workspace_, svc_.params.http_max_hdr(), &host_.beresp_records);
        if (!head_of(*request_.stale).decode(host_.beresp)) {
            close_ = close_reason::rx_overflow;
            return release_then(step::backend_error);
        }
        return respond();
    default: // as from vcl_backend_response
        go(step::after_backend_response);
        return {};
    }
}

fetch_fsm::reaction fetch_fsm::after_backend_response() noexcept {
    if (rolled_back_) {
        rolled_back_ = false;
        return release_then(step::after_backend_response);
    }
    if (close_ == close_reason::none && http::has_token(host_.beresp, http::field_id::connection, "close")) {
        close_ = close_reason::resp_close;
    }
    if (svc_.params.http_range_support()) {
        char room[100];
        std::string_view fault = http::check_partial_response(bereq0_, host_.beresp, room);
        if (!fault.empty()) {
            log_.write(log_tag::Error, fault);
            return release_then(step::backend_error);
        }
    }
    switch (outcome_.result) {
    case vcl::action::error:
        take_error();
        close_ = close_reason::resp_close;
        return release_then(step::backend_error);
    case vcl::action::retry:
        return response_refused();
    case vcl::action::deliver:
    case vcl::action::pass:
        return deliver_response();
    default:
        close_ = close_reason::resp_close;
        return release_then(step::fail);
    }
}

fetch_fsm::reaction fetch_fsm::response_refused() noexcept {
    if (framing_.kind != http::h1::body_kind::none) {
        close_ = close_reason::resp_close;
    }
    bool again = host_.retries++ < svc_.params.max_retries();
    reaction r = release_then(again ? step::retry : step::backend_error);
    if (!again) {
        log_.write(log_tag::VCL_Error, "Too many retries, delivering 503");
    }
    return r;
}

fetch_fsm::reaction fetch_fsm::deliver_response() noexcept {
    host_.mark("Process");
    give_up_request_body(false);
    if (target().state() < cache::object_state::request_sent) {
        target().advance(cache::object_state::request_sent);
    }
    if (host_.do_esi) {
        host_.do_stream = false;
    }
    if (outcome_.result == vcl::action::pass) {
        target().set(cache::object_flag::hit_for_pass);
        host_.uncacheable = true;
    }
    if (host_.uncacheable) {
        target().set(cache::object_flag::hit_for_miss);
    }
    go(host_.was_304 ? step::conditional : step::store);
    return {};
}

} // namespace clearcoat::flow
