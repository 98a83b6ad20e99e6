// The fetch machine's part when there is no response to keep: vcl_backend_error and the synthetic object.
#include "flow/fetch_fsm.hpp"

#include "cache/index.hpp"
#include "cache/storage/storage_set.hpp"
#include "http/date.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"

#include <array>

namespace clearcoat::flow {

/// Nothing of a response that broke off is left in the object when the error page goes in.
void fetch_fsm::take_object_back() noexcept {
    object_made_ = false;
    writer_->drop();
    writer_.reset();
    cache::object& o = target();
    svc_.cache.withdraw(o);
    for (cache::object_flag flag : {cache::object_flag::gzipped, cache::object_flag::encoding_changed,
                                    cache::object_flag::ims_candidate, cache::object_flag::esi}) {
        o.clear(flag);
    }
    o.set_expected_length(-1);
}

fetch_fsm::reaction fetch_fsm::backend_error() noexcept {
    if (outcome_.result != vcl::action::error) {
        ++svc_.counters.fetch_failed;
    }
    base::seconds now = host_.mark("Error");
    if (object_made_) {
        take_object_back();
    }
    if (host_.storage == nullptr) {
        host_.storage = &svc_.cache.storages().next();
    }
    http::head& beresp = host_.beresp;
    beresp.reset(workspace_, svc_.params.http_max_hdr(), &host_.beresp_records);
    beresp.set_protocol("HTTP/1.1");
    if (error_status_ > 0) {
        beresp.set_status(error_status_, error_reason_);
    } else {
        beresp.set_status(503, "Backend fetch failed");
    }
    std::array<char, http::date_size> room;
    beresp.add(http::field_id::date, http::format_date(now, room));
    beresp.add(http::field_id::server, "Varnish");
    host_.timing = {};
    host_.timing.t_origin = now;
    // Who waits got nothing to fall back on: a short life lets them all have this answer instead of one fetch each.
    waiters_served_ = svc_.cache.has_waiters(target());
    if (waiters_served_) {
        host_.timing.ttl = 1;
        host_.timing.grace = 5;
        host_.timing.keep = 5;
    }
    host_.synthetic_body.clear();
    return call_vcl(vcl::sub_id::backend_error, step::after_backend_error);
}

fetch_fsm::reaction fetch_fsm::after_backend_error() noexcept {
    if (outcome_.result == vcl::action::retry) {
        if (host_.retries++ < svc_.params.max_retries()) {
            go(step::retry);
        } else {
            log_.write(log_tag::VCL_Error, "Too many retries, failing");
            go(step::fail);
        }
        return {};
    }
    if (outcome_.result != vcl::action::deliver || !make_object()) {
        go(step::fail);
        return {};
    }
    writer_->append(host_.synthetic_body);
    length_ = writer_->written();
    publish();
    if (request_.stale && !waiters_served_ && host_.timing.ttl > 0) {
        svc_.cache.kill(*request_.stale);
    }
    writer_->finish(svc_.clock.real());
    writer_.reset();
    go(step::done);
    return {};
}

} // namespace clearcoat::flow
