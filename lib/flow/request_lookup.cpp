// Lookup and what follows it: hit, miss, pass, purge and pipe, up to the fetch.
#include "cache/index.hpp"
#include "flow/lookup_adapters.hpp"
#include "flow/object_reader.hpp"
#include "flow/request_fsm.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"

namespace clearcoat::flow {

namespace {

cache::lookup_pick pick_of(vcl::lookup_choice choice) noexcept {
    switch (choice) {
    case vcl::lookup_choice::miss:
        return cache::lookup_pick::miss;
    case vcl::lookup_choice::newest:
        return cache::lookup_pick::newest;
    case vcl::lookup_choice::oldest:
        return cache::lookup_pick::oldest;
    case vcl::lookup_choice::usual:
        break;
    }
    return cache::lookup_pick::usual;
}

} // namespace

std::optional<request_action> request_fsm::lookup() noexcept {
    request_vary vary(txn_.head, txn_.svc.params.http_gzip_support());
    request_ban_subject subject(txn_.head);
    cache::lookup_request ask;
    ask.key = &txn_.digest;
    ask.now = txn_.received;
    ask.ttl_limit = txn_.ttl_limit;
    ask.grace_limit = txn_.grace_limit;
    ask.always_miss = txn_.hash_always_miss;
    ask.ignore_busy = txn_.hash_ignore_busy;
    ask.ignore_vary = txn_.hash_ignore_vary;
    ask.pick = pick_of(txn_.choice);
    ask.vary = &vary;
    ask.subject = &subject;
    ask.waiting = &on_key_;
    cache::lookup_result found = txn_.svc.cache.lookup(ask);
    if (found.verdict == cache::lookup_verdict::busy) {
        waited_ = true;
        return request_action::wait_key;
    }
    txn_.choice = vcl::lookup_choice::usual;
    if (found.variants_skipped >= txn_.svc.params.vary_notice()) {
        txn_.log.print(log_tag::Notice, "vsl: High number of variants ({})", found.variants_skipped);
    }
    looked_up(found);
    return std::nullopt;
}

void request_fsm::looked_up(cache::lookup_result& found) noexcept {
    using verdict = cache::lookup_verdict;
    if (found.verdict == verdict::hit_miss) {
        ++txn_.svc.counters.cache_hitmiss;
        txn_.log.join(log_tag::HitMiss, found.marker_vxid, ' ', base::fixed6(found.marker_ttl));
    } else if (found.verdict == verdict::hit_pass) {
        ++txn_.svc.counters.cache_hitpass;
        txn_.log.join(log_tag::HitPass, found.marker_vxid, ' ', base::fixed6(found.marker_ttl));
    } else if (found.verdict != verdict::miss) {
        log_hit(*found.object);
    }
    if (std::exchange(waited_, false)) {
        host_.mark("Waitinglist");
    }
    switch (found.verdict) {
    case verdict::hit_pass:
        txn_.is_hitpass = true;
        go(&request_fsm::pass);
        return;
    case verdict::hit:
    case verdict::hit_grace:
        grace_hit_ = found.verdict == verdict::hit_grace;
        txn_.object = std::move(found.object);
        busy_ = std::move(found.busy);
        go(&request_fsm::hit);
        return;
    default:
        txn_.is_hitmiss = found.verdict == verdict::hit_miss;
        txn_.object = std::move(found.busy);
        txn_.stale = std::move(found.object);
        go(&request_fsm::miss);
    }
}

void request_fsm::log_hit(const cache::object& o) noexcept {
    const cache::object_timing t = o.timing();
    const double ttl = txn_.ttl_limit > 0 && txn_.ttl_limit < t.ttl ? txn_.ttl_limit : t.ttl;
    const double left = ttl - (txn_.received - t.t_origin);
    const cache::object_progress progress = o.progress();
    if (progress.state >= cache::object_state::finished) {
        txn_.log.join(log_tag::Hit, o.vxid(), ' ', base::fixed6(left), ' ', base::fixed6(t.grace), ' ',
                      base::fixed6(t.keep));
        return;
    }
    const std::string_view length = head_of(o).get(http::field_id::content_length);
    txn_.log.join(log_tag::Hit, o.vxid(), ' ', base::fixed6(left), ' ', base::fixed6(t.grace), ' ',
                  base::fixed6(t.keep), ' ', progress.length, length.data() == nullptr ? "" : " ", length);
}

std::optional<request_action> request_fsm::hit() noexcept {
    return call(vcl::sub_id::hit, &request_fsm::after_hit);
}

void request_fsm::after_hit(const vcl::outcome& o) noexcept {
    if (o.result == vcl::action::deliver) {
        go(&request_fsm::refresh_behind);
        return;
    }
    if (o.result == vcl::action::pass) {
        ++txn_.svc.counters.cache_hit;
        txn_.is_hit = true;
        go(&request_fsm::pass);
    } else {
        common_outcome(o);
    }
    txn_.object.reset();
    drop_objects();
}

std::optional<request_action> request_fsm::refresh_behind() noexcept {
    if (!busy_) {
        go(&request_fsm::accept_hit);
        return std::nullopt;
    }
    go(&request_fsm::refresh_started);
    cache::object_ref served = std::exchange(txn_.object, std::move(busy_));
    prepare_fetch(fetch_mode::background, served);
    txn_.object = std::move(served);
    ++txn_.svc.counters.s_fetch;
    ++txn_.svc.counters.s_bgfetch;
    return request_action::start_fetch;
}

std::optional<request_action> request_fsm::refresh_started() noexcept {
    host_.mark("Fetch");
    go(&request_fsm::accept_hit);
    return std::nullopt;
}

std::optional<request_action> request_fsm::accept_hit() noexcept {
    count_hit();
    if (drop_body_before(&request_fsm::deliver)) {
        return request_action::drop_body;
    }
    return std::nullopt;
}

void request_fsm::count_hit() noexcept {
    ++txn_.svc.counters.cache_hit;
    if (grace_hit_) {
        ++txn_.svc.counters.cache_hit_grace;
    }
    txn_.is_hit = true;
}

std::optional<request_action> request_fsm::miss() noexcept {
    return call(vcl::sub_id::miss, &request_fsm::after_miss);
}

void request_fsm::after_miss(const vcl::outcome& o) noexcept {
    if (o.result == vcl::action::fetch) {
        begin_fetch(&request_fsm::start_miss);
        return;
    }
    if (o.result == vcl::action::pass) {
        go(&request_fsm::pass);
    } else {
        common_outcome(o);
    }
    busy_ = std::move(txn_.object);
    drop_objects();
}

std::optional<request_action> request_fsm::start_miss() noexcept {
    ++txn_.svc.counters.cache_miss;
    prepare_fetch(fetch_mode::miss, std::move(txn_.stale));
    go(&request_fsm::fetch_started);
    return request_action::start_fetch;
}

std::optional<request_action> request_fsm::pass() noexcept {
    txn_.choice = vcl::lookup_choice::usual;
    return call(vcl::sub_id::pass, &request_fsm::after_pass);
}

void request_fsm::after_pass(const vcl::outcome& o) noexcept {
    if (o.result == vcl::action::fetch) {
        begin_fetch(&request_fsm::start_pass);
        return;
    }
    common_outcome(o);
}

std::optional<request_action> request_fsm::start_pass() noexcept {
    ++txn_.svc.counters.s_pass;
    txn_.object = txn_.svc.cache.make_private();
    prepare_fetch(fetch_mode::pass, {});
    go(&request_fsm::fetch_started);
    return request_action::start_fetch;
}

/// DIFFERS: what req.filters makes of a body is complete before the fetch begins, so that its length is known and the
/// fetch can be retried.
void request_fsm::begin_fetch(step start) noexcept {
    const bool filtered = !txn_.body_filters.empty() && txn_.body.now == received_body::state::unread;
    fetch_step_ = start;
    go(filtered ? &request_fsm::filter_body : start);
}

std::optional<request_action> request_fsm::filter_body() noexcept {
    body_limit_ = UINT64_MAX;
    go(&request_fsm::body_filtered);
    return request_action::cache_body;
}

std::optional<request_action> request_fsm::body_filtered() noexcept {
    if (txn_.body.now != received_body::state::failed) {
        go(fetch_step_);
        return std::nullopt;
    }
    busy_ = std::move(txn_.object);
    drop_objects();
    txn_.closing = tables::close_reason::rx_body;
    txn_.error_status = 400;
    txn_.error_reason = {};
    go(&request_fsm::synth);
    return std::nullopt;
}

void request_fsm::prepare_fetch(fetch_mode mode, cache::object_ref stale) noexcept {
    fetch_request& f = fetch_.emplace();
    f.mode = mode;
    f.req = &txn_.head;
    f.object = txn_.object;
    f.stale = std::move(stale);
    f.program = txn_.vcl;
    f.backend = txn_.backend_hint;
    f.parent = txn_.log.vxid();
    f.session = txn_.session.shared_from_this();
    f.client_identity = txn_.client_identity;
    f.hash = txn_.digest;
    f.is_hitmiss = txn_.is_hitmiss;
    f.is_hitpass = txn_.is_hitpass;
    f.may_hold_back = txn_.is_top();
    f.traces = host_.own_traces();
    if (mode == fetch_mode::background) {
        return;
    }
    if (txn_.body.now == received_body::state::cached) {
        f.body = request_body::cached;
        f.cached_body = txn_.body.kept;
    } else if (txn_.body.now == received_body::state::unread) {
        const bool chunked = txn_.body.framing.kind == http::h1::body_kind::chunked;
        f.body = chunked ? request_body::chunked : request_body::length;
    }
}

std::optional<request_action> request_fsm::fetch_started() noexcept {
    go(&request_fsm::fetched);
    return request_action::wait_fetch;
}

std::optional<request_action> request_fsm::fetched() noexcept {
    host_.mark("Fetch");
    ++txn_.svc.counters.s_fetch;
    if (drop_body_before(&request_fsm::fetched_body_dropped)) {
        return request_action::drop_body;
    }
    return std::nullopt;
}

std::optional<request_action> request_fsm::fetched_body_dropped() noexcept {
    const cache::object& o = *txn_.object;
    if (o.state() == cache::object_state::failed) {
        txn_.object.reset();
        txn_.error_status = 503;
        txn_.error_reason = {};
        go(&request_fsm::synth);
        return std::nullopt;
    }
    go(&request_fsm::deliver);
    return std::nullopt;
}

std::optional<request_action> request_fsm::purge() noexcept {
    txn_.svc.cache.purge(txn_.digest, txn_.received);
    return call(vcl::sub_id::purge, &request_fsm::after_purge);
}

void request_fsm::after_purge(const vcl::outcome& o) noexcept {
    common_outcome(o);
}

std::optional<request_action> request_fsm::pipe() noexcept {
    exchange_.emplace(txn_.svc, host_, txn_.head, txn_.backend_hint, std::exchange(txn_.wants_continue, false),
                      txn_.account.request_head);
    host_.bind_pipe(&*exchange_);
    return call(vcl::sub_id::pipe, &request_fsm::after_pipe);
}

void request_fsm::after_pipe(const vcl::outcome& o) noexcept {
    if (o.result == vcl::action::pipe && exchange_->enter()) {
        go(&request_fsm::start_pipe);
        return;
    }
    host_.bind_pipe(nullptr);
    exchange_.reset();
    if (!common_outcome(o)) {
        go(&request_fsm::vcl_failed);
    }
}

std::optional<request_action> request_fsm::start_pipe() noexcept {
    go(&request_fsm::piped);
    return request_action::pipe;
}

std::optional<request_action> request_fsm::piped() noexcept {
    host_.bind_pipe(nullptr);
    exchange_.reset();
    return request_action::done;
}

} // namespace clearcoat::flow
