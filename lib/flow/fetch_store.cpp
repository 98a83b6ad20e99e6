// The fetch machine's part that fills the object: its place, its head, the body through the filters, and the body taken
// over from a stale object after 304.
#include "flow/fetch_fsm.hpp"
#include "flow/object_reader.hpp"

#include "base/ascii.hpp"
#include "cache/body_cursor.hpp"
#include "cache/index.hpp"
#include "cache/storage/storage_set.hpp"
#include "http/date.hpp"
#include "http/filter.hpp"
#include "http/vary.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

namespace clearcoat::flow {

using cache::object_flag;
using http::h1::body_kind;
using tables::close_reason;

bool fetch_fsm::make_object() noexcept {
    cache::object& o = target();
    http::vary_built vary;
    if (!o.has(object_flag::is_private)) {
        vary = http::build_vary(host_.beresp, host_.bereq, workspace_);
        if (!vary.error.empty()) {
            log_.write(log_tag::Error, vary.error);
            log_.write(log_tag::Error, "Illegal 'Vary' header from backend, making this a pass.");
            host_.uncacheable = true;
            vary.spec = {};
        }
    }
    if (host_.uncacheable) {
        o.set(object_flag::hit_for_miss);
    }
    http::filter_use use = host_.uncacheable ? http::filter_use::response_pass : http::filter_use::response_insert;
    if (!place_object(http::packed_size(host_.beresp, use), vary.spec.size())) {
        fetch_error("Could not get storage");
        return false;
    }
    object_made_ = true;
    log_object_head(use);
    http::pack(host_.beresp, use, std::as_writable_bytes(o.head_room()));
    std::copy(vary.spec.begin(), vary.spec.end(), o.vary_room().data());
    o.set_vxid(log_.vxid());
    std::string_view modified = host_.beresp.get(http::field_id::last_modified);
    o.set_last_modified(modified.data() != nullptr ? http::parse_date(modified) : std::floor(host_.timing.t_origin));
    writer_.emplace(svc_.cache, request_.object);
    body_.write_to(*writer_);
    return true;
}

/// Finds room in the storage that VCL or the lifetime asks for; what does not fit there may live a short while in
/// Transient.
bool fetch_fsm::place_object(std::size_t head_size, std::size_t vary_size) noexcept {
    cache::storage& transient = svc_.cache.storages().transient();
    cache::object_timing& timing = host_.timing;
    cache::storage* where = host_.storage;
    if (host_.uncacheable) {
        where = &transient;
        ++svc_.counters.beresp_uncacheable;
    } else if (timing.ttl + timing.grace + timing.keep < svc_.params.shortlived()) {
        where = &transient;
        ++svc_.counters.beresp_shortlived;
    }
    host_.storage = nullptr;
    if (where == nullptr) {
        return false;
    }
    if (!svc_.cache.prepare(target(), *where, head_size, vary_size)) {
        if (where == &transient) {
            return false;
        }
        timing.ttl = std::min(timing.ttl, svc_.params.shortlived());
        timing.grace = 0;
        timing.keep = 0;
        where = &transient;
        if (!svc_.cache.prepare(target(), transient, head_size, vary_size)) {
            return false;
        }
    }
    log_.print(log_tag::Storage, "{} {}", where->kind_name(), where->identity());
    return true;
}

void fetch_fsm::log_object_head(http::filter_use use) noexcept {
    const http::head& h = host_.beresp;
    log_.write(log_tag::ObjProtocol, h.protocol());
    log_.print(log_tag::ObjStatus, "{}", h.status() % 1000);
    log_.write(log_tag::ObjReason, h.reason());
    for (const http::field& f : h.fields()) {
        if (!http::is_filtered(f, use)) {
            log_.write(log_tag::ObjHeader, f.text());
        }
    }
}

namespace {

/// The names of old as well: what sites send for module xkey.
std::string surrogate_keys_of(const http::head& beresp) {
    std::string keys;
    for (const http::field& f : beresp.fields()) {
        if (base::equal_nocase(f.name(), "xkey") || base::equal_nocase(f.name(), "X-HashTwo")) {
            keys.append(f.value()).push_back(' ');
        }
    }
    return keys;
}

} // namespace

/// From now on lookups find the object.
void fetch_fsm::publish() noexcept {
    cache::object& o = target();
    o.set_timing(host_.timing);
    if (svc_.cache.keys().wanted()) {
        svc_.cache.unbusy(o, surrogate_keys_of(host_.beresp));
    } else {
        svc_.cache.unbusy(o);
    }
    o.advance(cache::object_state::streaming);
}

/// Settles what beresp.filters is and makes the filters.
bool fetch_fsm::choose_filters() noexcept {
    if (framing_.kind == body_kind::none) {
        host_.beresp.unset(http::field_id::content_encoding);
        host_.do_gzip = host_.do_gunzip = false;
        host_.do_stream = false;
        host_.filters = "";
    } else if (host_.filters.data() == nullptr) {
        host_.filters = host_.default_filters();
    }
    log_.write(log_tag::Filters, host_.filters);
    fetch_body::workshop shop{host_.beresp, host_.bereq.url(), svc_.params, workspace_, svc_.counters, log_, host_};
    return body_.build(host_.filters, shop);
}

fetch_fsm::reaction fetch_fsm::store() noexcept {
    if (!connected_) {
        fetch_error("No backend connection (rollback?)");
        return release_then(step::backend_error);
    }
    if (!choose_filters()) {
        close_ = close_reason::overload;
        fetch_error(body_.error());
        return release_then(step::backend_error);
    }
    if (!make_object()) {
        close_ = close_reason::rx_body;
        return release_then(step::backend_error);
    }
    cache::object& o = target();
    if (body_.makes_gzip()) {
        o.set(object_flag::gzipped);
    }
    if (body_.changes_encoding()) {
        o.set(object_flag::encoding_changed);
    }
    bool has_validator = host_.beresp.has(http::field_id::last_modified) || host_.beresp.has(http::field_id::etag);
    if (!o.has(object_flag::hit_for_miss) && host_.beresp.status() % 1000 == 200 && has_validator) {
        o.set(object_flag::ims_candidate);
    }
    if (framing_.kind == body_kind::length && !body_.has_filters()) {
        o.set_expected_length(static_cast<std::int64_t>(framing_.length));
    }
    if (host_.do_stream) {
        publish();
    }
    // The reference's numbers: none 0, chunked 2, length 3, eof 4.
    static constexpr unsigned numbers[] = {0, 3, 2, 4, 1};
    log_.print(log_tag::Fetch_Body, "{} {} {}", numbers[static_cast<std::size_t>(framing_.kind)],
               http::h1::name_of(framing_.kind), host_.do_stream ? "stream" : "-");
    leftover_ = {buffer_.get() + head_size_, filled_ - head_size_};
    go(step::store_body);
    return {};
}

fetch_fsm::reaction fetch_fsm::store_body() noexcept {
    receiving_body_ = false;
    while (body_.now() == fetch_body::state::more && !leftover_.empty()) {
        body_.take(leftover_);
    }
    if (body_.now() == fetch_body::state::done) {
        // DIFFERS: bytes behind the body's end make the connection useless; the reference forgets them and reuses it.
        if (!leftover_.empty() && close_ == close_reason::none) {
            close_ = close_reason::rx_junk;
        }
        return finish_body();
    }
    if (body_.now() == fetch_body::state::failed) {
        return body_failed();
    }
    if (target().has(object_flag::cancel)) {
        // Nobody reads the pass any more. The object is not failed, so that a marker can come of it.
        log_.write(log_tag::Debug, "Fetch: Pass delivery abandoned");
        close_ = close_reason::rx_body;
        return finish_body();
    }
    if (reaction r = wait_for_reader()) {
        return r;
    }
    return read_body_action();
}

/// With a transit buffer the fetch does not run far ahead of the only client that reads.
fetch_fsm::reaction fetch_fsm::wait_for_reader() noexcept {
    cache::object& o = target();
    if (host_.transit_buffer == 0 || !request_.may_hold_back || !o.has(object_flag::is_private) || !host_.do_stream) {
        return {};
    }
    std::uint64_t unread = o.length() - o.consumed();
    if (unread <= host_.transit_buffer) {
        return {};
    }
    fetch_action action;
    action.what = fetch_action::kind::wait_drain;
    action.object = &o;
    action.limit = host_.transit_buffer;
    return action;
}

fetch_fsm::reaction fetch_fsm::read_body_action() noexcept {
    fetch_action action;
    action.what = fetch_action::kind::read;
    action.timeout = within_deadline(between_bytes_timeout_);
    action.room = body_.direct_room();
    if (body_.now() == fetch_body::state::failed) {
        return body_failed();
    }
    receives_direct_ = !action.room.empty();
    if (!receives_direct_) {
        action.room = {buffer_.get() + head_size_, buffer_size_ - head_size_};
    }
    receiving_body_ = true;
    return action;
}

fetch_action fetch_fsm::on_body_bytes(const read_report& report) noexcept {
    switch (report.what) {
    case read_report::kind::data:
        if (receives_direct_) {
            body_.took_direct(report.bytes);
        } else {
            leftover_ = {buffer_.get() + head_size_, report.bytes};
        }
        break;
    case read_report::kind::end:
        if (close_ == close_reason::none) {
            close_ = close_reason::resp_close;
        }
        body_.ended();
        break;
    default:
        log_.write(log_tag::FetchError,
                   std::strerror(report.what == read_report::kind::timed_out ? EAGAIN : report.error));
        body_.broken();
    }
    return run();
}

fetch_fsm::reaction fetch_fsm::body_failed() noexcept {
    fetch_error(body_.error());
    close_ = close_reason::rx_body;
    if (host_.do_stream) {
        ++svc_.counters.fetch_failed;
        return release_then(step::fail);
    }
    return release_then(step::backend_error);
}

fetch_fsm::reaction fetch_fsm::conditional() noexcept {
    go(step::copy_stale);
    if (request_.stale->state() >= cache::object_state::finished) {
        return {};
    }
    log_.write(log_tag::Notice, "vsl: Conditional fetch wait for streaming object");
    fetch_action action;
    action.what = fetch_action::kind::wait_stale;
    action.object = request_.stale.get();
    return action;
}

fetch_fsm::reaction fetch_fsm::copy_stale() noexcept {
    cache::object& stale = *request_.stale;
    if (stale.has(object_flag::failed) || stale.state() != cache::object_state::finished) {
        fetch_error("Template object failed");
        return conditional_failed();
    }
    if (!make_object()) {
        return conditional_failed();
    }
    cache::object& o = target();
    for (object_flag flag :
         {object_flag::gzipped, object_flag::encoding_changed, object_flag::ims_candidate, object_flag::esi}) {
        if (stale.has(flag) && !(flag == object_flag::ims_candidate && o.has(object_flag::hit_for_miss))) {
            o.set(flag);
        }
    }
    bool room = (stale.esi_data().empty() || svc_.cache.attach_esi(o, stale.esi_data())) &&
                (stale.gzip() == nullptr || svc_.cache.attach_gzip(o, *stale.gzip()));
    if (host_.do_stream && room) {
        publish();
    }
    if (!room || !copy_body(stale)) {
        fetch_error("Could not get storage");
        return conditional_failed();
    }
    return release_then(step::end);
}

bool fetch_fsm::copy_body(cache::object& from) noexcept {
    cache::body_cursor cursor(request_.stale);
    std::span<const char> parts[16];
    (void)from;
    while (true) {
        cache::cursor_read got = cursor.peek(parts);
        if (got.status != cache::cursor_status::data) {
            return got.status == cache::cursor_status::end;
        }
        for (std::size_t i = 0; i < got.count; ++i) {
            if (!writer_->append({parts[i].data(), parts[i].size()})) {
                return false;
            }
        }
        cursor.advance(got.bytes);
    }
}

fetch_fsm::reaction fetch_fsm::conditional_failed() noexcept {
    ++svc_.counters.fetch_failed;
    return release_then(step::fail);
}

} // namespace clearcoat::flow
