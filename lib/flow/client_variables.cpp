// The variables of the client side, a line each. A variable that stands in neither table is a part of a start line or
// shared with the backend side, and task_host answers for it.
#include "flow/client_host.hpp"
#include "flow/default_filters.hpp"
#include "flow/object_reader.hpp"
#include "flow/pipe_exchange.hpp"
#include "flow/storage_handles.hpp"
#include "http/conditional.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace clearcoat::flow {

namespace {

using tables::vcl_variable;
using vcl::value;

constexpr std::size_t variable_limit = 256;

using getter = value (*)(client_host&);
using setter = void (*)(client_host&, const value&);

template<class F>
struct row {
    vcl_variable variable;
    F function;
};

base::seconds not_negative(double s) noexcept {
    return s > 0 ? s : 0;
}

value duration_of(base::seconds own, base::seconds parameter) noexcept {
    return value::of_real(session_settings::or_parameter(own, parameter));
}

value object_time(client_host& h, double cache::object_timing::*part) noexcept {
    return value::of_real(not_negative(h.txn().object->timing().*part));
}

value object_ttl(client_host& h) noexcept {
    const cache::object_timing t = h.txn().object->timing();
    return value::of_real(not_negative(t.ttl) - (h.ttl_now() - t.t_origin));
}

value object_hits(client_host& h) noexcept {
    const bool counted = h.current() == vcl::sub_id::hit || h.txn().is_hit;
    return value::of_integer(counted ? static_cast<std::int64_t>(h.txn().object->hits()) : 0);
}

value is_streaming(client_host& h) noexcept {
    return value::of(h.txn().object && h.txn().object->state() < cache::object_state::finished);
}

value response_filters(client_host& h) noexcept {
    request& r = h.txn();
    return value::of(r.filters.data() != nullptr ? r.filters : default_filters(r));
}

value request_filters(client_host& h) noexcept {
    const std::string_view list = h.txn().body_filters;
    return value::of(list.data() != nullptr ? list : std::string_view(""));
}

value response_does_esi(client_host& h) noexcept {
    if (h.txn().filters.data() != nullptr) {
        h.fail("resp.filters are already fixed, resp.do_esi is undefined");
        return value::of(false);
    }
    return value::of(!h.txn().esi_disabled);
}

value digest_blob(client_host& h) noexcept {
    const auto bytes = std::as_bytes(std::span(h.txn().digest));
    return value::of(h.workspace().make<vcl::blob>(vcl::blob{0, bytes}));
}

const row<getter> getters[] = {
    {vcl_variable::req_backend_hint, [](client_host& h) { return value::of(h.txn().backend_hint); }},
    {vcl_variable::req_can_gzip, [](client_host& h) { return value::of(http::accepts_gzip(h.txn().head)); }},
    {vcl_variable::req_esi, [](client_host& h) { return value::of(!h.txn().esi_disabled); }},
    {vcl_variable::req_esi_level, [](client_host& h) { return value::of_integer(h.txn().esi_level); }},
    {vcl_variable::req_grace, [](client_host& h) { return value::of_real(h.txn().grace_limit); }},
    {vcl_variable::req_ttl, [](client_host& h) { return value::of_real(h.txn().ttl_limit); }},
    {vcl_variable::req_max_age, [](client_host& h) { return value::of_real(h.txn().ttl_limit); }},
    {vcl_variable::req_trace, [](client_host& h) { return value::of(h.traces()); }},
    {vcl_variable::req_filters, request_filters},
    {vcl_variable::req_hash, digest_blob},
    {vcl_variable::req_hash_always_miss, [](client_host& h) { return value::of(h.txn().hash_always_miss); }},
    {vcl_variable::req_hash_ignore_busy, [](client_host& h) { return value::of(h.txn().hash_ignore_busy); }},
    {vcl_variable::req_hash_ignore_vary, [](client_host& h) { return value::of(h.txn().hash_ignore_vary); }},
    {vcl_variable::req_is_hitmiss, [](client_host& h) { return value::of(h.txn().is_hitmiss); }},
    {vcl_variable::req_is_hitpass, [](client_host& h) { return value::of(h.txn().is_hitpass); }},
    {vcl_variable::req_restarts, [](client_host& h) { return value::of_integer(h.txn().restarts); }},
    {vcl_variable::req_storage, [](client_host& h) { return value::of(h.txn().storage); }},
    {vcl_variable::req_time, [](client_host& h) { return value::of_real(h.txn().received); }},
    {vcl_variable::req_top_time, [](client_host& h) { return value::of_real(h.txn().top->received); }},
    {vcl_variable::req_transport, [](client_host& h) { return value::of(h.txn().session.transport); }},
    {vcl_variable::req_xid, [](client_host& h) { return h.number_text(h.txn().log.vxid()); }},
    {vcl_variable::obj_age,
     [](client_host& h) { return value::of_real(h.ttl_now() - h.txn().object->timing().t_origin); }},
    {vcl_variable::obj_can_esi, [](client_host& h) { return value::of(h.txn().object->has(cache::object_flag::esi)); }},
    {vcl_variable::obj_grace, [](client_host& h) { return object_time(h, &cache::object_timing::grace); }},
    {vcl_variable::obj_hits, object_hits},
    {vcl_variable::obj_keep, [](client_host& h) { return object_time(h, &cache::object_timing::keep); }},
    {vcl_variable::obj_proto, [](client_host& h) { return value::of(head_of(*h.txn().object).protocol()); }},
    {vcl_variable::obj_reason, [](client_host& h) { return value::of(head_of(*h.txn().object).reason()); }},
    {vcl_variable::obj_status, [](client_host& h) { return value::of_integer(head_of(*h.txn().object).status()); }},
    {vcl_variable::obj_storage,
     [](client_host& h) { return value::of(h.txn().svc.storages.of(*h.txn().object->where())); }},
    {vcl_variable::obj_time, [](client_host& h) { return value::of_real(h.txn().object->timing().t_origin); }},
    {vcl_variable::obj_ttl, object_ttl},
    {vcl_variable::obj_uncacheable,
     [](client_host& h) { return value::of(h.txn().object->has(cache::object_flag::hit_for_miss)); }},
    {vcl_variable::resp_do_esi, response_does_esi},
    {vcl_variable::resp_filters, response_filters},
    {vcl_variable::resp_is_streaming, is_streaming},
    {vcl_variable::resp_time, [](client_host& h) { return value::of_real(h.txn().responded_at()); }},
    {vcl_variable::sess_idle_send_timeout,
     [](client_host& h) {
         return duration_of(h.txn().settings.idle_send_timeout, h.svc().params.idle_send_timeout());
     }},
    {vcl_variable::sess_send_timeout,
     [](client_host& h) { return duration_of(h.txn().settings.send_timeout, h.svc().params.send_timeout()); }},
    {vcl_variable::sess_timeout_idle,
     [](client_host& h) { return duration_of(h.txn().settings.timeout_idle, h.svc().params.timeout_idle()); }},
    {vcl_variable::sess_timeout_linger,
     [](client_host& h) { return duration_of(h.txn().settings.timeout_linger, h.svc().params.timeout_linger()); }},
};

void keep_text(client_host& h, std::string_view text, std::string_view name, std::string_view& place) noexcept {
    const std::string_view kept = h.workspace().copy(text);
    if (kept.data() == nullptr) {
        h.log().write(log_tag::LostHeader, name);
        h.workspace().set_overflowed(true);
        return;
    }
    place = kept;
}

void set_esi(client_host& h, const value& v) {
    // Only the top request may switch it off: the rule of VCL 4.0.
    if (h.txn().is_top()) {
        h.txn().esi_disabled = !v.boolean;
    }
}

void set_response_esi(client_host& h, const value& v) {
    if (h.txn().filters.data() != nullptr) {
        h.fail("resp.filters are already fixed, resp.do_esi is undefined");
        return;
    }
    h.txn().esi_disabled = !v.boolean;
}

void set_request_filters(client_host& h, const value& v) {
    if (h.txn().body.now != received_body::state::unread) {
        h.fail("req.filters not settable");
        return;
    }
    keep_text(h, v.string(), "req.filters", h.txn().body_filters);
}

const row<setter> setters[] = {
    {vcl_variable::client_identity,
     [](client_host& h, const value& v) { keep_text(h, v.string(), "client.identity", h.txn().client_identity); }},
    {vcl_variable::req_backend_hint, [](client_host& h, const value& v) { h.txn().backend_hint = v.backend; }},
    {vcl_variable::req_esi, set_esi},
    {vcl_variable::req_grace, [](client_host& h, const value& v) { h.txn().grace_limit = not_negative(v.real); }},
    {vcl_variable::req_ttl, [](client_host& h, const value& v) { h.txn().ttl_limit = not_negative(v.real); }},
    {vcl_variable::req_max_age, [](client_host& h, const value& v) { h.txn().ttl_limit = not_negative(v.real); }},
    {vcl_variable::req_trace, [](client_host& h, const value& v) { h.set_traces(v.boolean); }},
    {vcl_variable::req_filters, set_request_filters},
    {vcl_variable::req_hash_always_miss, [](client_host& h, const value& v) { h.txn().hash_always_miss = v.boolean; }},
    {vcl_variable::req_hash_ignore_busy, [](client_host& h, const value& v) { h.txn().hash_ignore_busy = v.boolean; }},
    {vcl_variable::req_hash_ignore_vary, [](client_host& h, const value& v) { h.txn().hash_ignore_vary = v.boolean; }},
    {vcl_variable::req_storage, [](client_host& h, const value& v) { h.txn().storage = v.storage; }},
    {vcl_variable::resp_do_esi, set_response_esi},
    {vcl_variable::resp_filters,
     [](client_host& h, const value& v) { keep_text(h, v.string(), "resp.filters", h.txn().filters); }},
    {vcl_variable::sess_idle_send_timeout,
     [](client_host& h, const value& v) { h.txn().settings.idle_send_timeout = not_negative(v.real); }},
    {vcl_variable::sess_send_timeout,
     [](client_host& h, const value& v) { h.txn().settings.send_timeout = not_negative(v.real); }},
    {vcl_variable::sess_timeout_idle,
     [](client_host& h, const value& v) { h.txn().settings.timeout_idle = not_negative(v.real); }},
    {vcl_variable::sess_timeout_linger,
     [](client_host& h, const value& v) { h.txn().settings.timeout_linger = not_negative(v.real); }},
};

/// The functions by variable number, so that a lookup is one load.
template<class F, std::size_t N>
std::array<F, variable_limit> by_number(const row<F> (&rows)[N]) {
    std::array<F, variable_limit> table{};
    for (const row<F>& r : rows) {
        table[static_cast<std::size_t>(r.variable)] = r.function;
    }
    return table;
}

} // namespace

bool client_host::get_own(vcl_variable variable, value& out) noexcept {
    static const auto table = by_number(getters);
    const getter f = table[static_cast<std::size_t>(variable) % variable_limit];
    if (f == nullptr) {
        return exchange_ != nullptr && get_of_pipe(variable, out);
    }
    out = f(*this);
    return true;
}

bool client_host::get_of_pipe(vcl_variable variable, value& out) noexcept {
    switch (variable) {
    case vcl_variable::bereq_xid:
        out = number_text(exchange_->vxid());
        return true;
    case vcl_variable::bereq_time:
        out = value::of_real(exchange_->start_time());
        return true;
    default:
        return exchange_->choice().get(variable, svc().params, out);
    }
}

bool client_host::set_own(vcl_variable variable, const value& v) noexcept {
    static const auto table = by_number(setters);
    const setter f = table[static_cast<std::size_t>(variable) % variable_limit];
    if (f == nullptr) {
        return exchange_ != nullptr && exchange_->choice().set(variable, v);
    }
    f(*this, v);
    return true;
}

void client_host::unset(vcl_variable variable) noexcept {
    session_settings& settings = txn_.settings;
    switch (variable) {
    case vcl_variable::req_grace:
        txn_.grace_limit = -1;
        break;
    case vcl_variable::req_ttl:
    case vcl_variable::req_max_age:
        txn_.ttl_limit = -1;
        break;
    case vcl_variable::sess_timeout_idle:
        settings.timeout_idle = session_settings::unset;
        break;
    case vcl_variable::sess_timeout_linger:
        settings.timeout_linger = session_settings::unset;
        break;
    case vcl_variable::sess_send_timeout:
        settings.send_timeout = session_settings::unset;
        break;
    case vcl_variable::sess_idle_send_timeout:
        settings.idle_send_timeout = session_settings::unset;
        break;
    default:
        if (exchange_ != nullptr) {
            exchange_->choice().unset(variable);
        }
    }
}

} // namespace clearcoat::flow
