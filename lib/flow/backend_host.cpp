#include "flow/backend_host.hpp"

#include "base/text_pieces.hpp"
#include "cache/storage/storage_set.hpp"
#include "flow/storage_handles.hpp"
#include "http/head.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"
#include "vcl/vm/director.hpp"

#include <algorithm>
#include <array>

namespace clearcoat::flow {

namespace {

using tables::vcl_variable;

vcl::value of_duration(base::seconds s) noexcept {
    return vcl::value::of_real(s);
}

/// The blob type of hashes, a number modules may rely on.
constexpr std::uint32_t hash_blob_kind = 0x00d16357;

} // namespace

base::seconds* bereq_choice::timeout(vcl_variable variable) noexcept {
    switch (variable) {
    case vcl_variable::bereq_connect_timeout:
        return &connect_timeout;
    case vcl_variable::bereq_first_byte_timeout:
        return &first_byte_timeout;
    case vcl_variable::bereq_between_bytes_timeout:
        return &between_bytes_timeout;
    case vcl_variable::bereq_task_deadline:
        return &task_deadline;
    default:
        return nullptr;
    }
}

bool bereq_choice::get(vcl_variable variable, const tables::param_block& params, vcl::value& out) const noexcept {
    auto timeout_of = [](base::seconds own, base::seconds parameter) {
        return vcl::value::of_real(own != 0 ? own : parameter);
    };
    switch (variable) {
    case vcl_variable::bereq_backend:
        out = vcl::value::of(backend);
        return true;
    case vcl_variable::bereq_connect_timeout:
        out = timeout_of(connect_timeout, params.connect_timeout());
        return true;
    case vcl_variable::bereq_first_byte_timeout:
        out = timeout_of(first_byte_timeout, params.first_byte_timeout());
        return true;
    case vcl_variable::bereq_between_bytes_timeout:
        out = timeout_of(between_bytes_timeout, params.between_bytes_timeout());
        return true;
    case vcl_variable::bereq_task_deadline:
        out = timeout_of(task_deadline, params.pipe_task_deadline());
        return true;
    default:
        return false;
    }
}

bool bereq_choice::set(vcl_variable variable, const vcl::value& v) noexcept {
    if (variable == vcl_variable::bereq_backend) {
        backend = v.backend;
        return true;
    }
    base::seconds* place = timeout(variable);
    if (place != nullptr) {
        *place = std::max(v.real, 0.0);
    }
    return place != nullptr;
}

void bereq_choice::unset(vcl_variable variable) noexcept {
    if (base::seconds* place = timeout(variable)) {
        *place = 0;
    }
}

backend_host::backend_host(services& svc, base::task_log& log, base::arena& workspace, waker_source& wakers,
                           const session_facts& session) noexcept
    : task_host(svc, log, workspace, wakers, session), bereq_records(vcl::message::bereq, log, workspace, svc.counters),
      beresp_records(vcl::message::beresp, log, workspace, svc.counters) {
    transit_buffer = svc.params.transit_buffer();
    bind(vcl::message::bereq, &bereq);
    bind(vcl::message::beresp, &beresp);
}

void backend_host::forget_response() noexcept {
    storage = nullptr;
    do_esi = false;
    do_stream = true;
    was_304 = false;
    filters = {};
    transit_buffer = svc().params.transit_buffer();
}

bool backend_host::get_own(vcl_variable variable, vcl::value& out) noexcept {
    return choice.get(variable, svc().params, out) || get_bereq(variable, out) || get_beresp(variable, out) ||
           get_timing(variable, out) || get_flags(variable, out) || get_stale(variable, out);
}

bool backend_host::get_bereq(vcl_variable variable, vcl::value& out) noexcept {
    switch (variable) {
    case vcl_variable::bereq_hash: {
        auto* blob = workspace().make<vcl::blob>();
        if (blob != nullptr) {
            *blob = {hash_blob_kind, std::as_bytes(std::span(hash))};
        }
        out = vcl::value::of(blob);
        return true;
    }
    case vcl_variable::bereq_retries:
        out = vcl::value::of_integer(retries);
        return true;
    case vcl_variable::bereq_time:
        out = vcl::value::of_real(times().first());
        return true;
    case vcl_variable::bereq_filters:
        out = vcl::value::of(request_filters.data() != nullptr ? request_filters : std::string_view(""));
        return true;
    case vcl_variable::bereq_xid:
        out = text_of(records().vxid());
        return true;
    default:
        return false;
    }
}

bool backend_host::get_beresp(vcl_variable variable, vcl::value& out) noexcept {
    switch (variable) {
    case vcl_variable::beresp_backend:
        out = vcl::value::of(used_backend);
        return true;
    case vcl_variable::beresp_backend_name:
        out = used_backend == nullptr ? vcl::value() : vcl::value::of(used_backend->name());
        return true;
    case vcl_variable::beresp_backend_ip:
        out = vcl::value::of(has_backend_ip ? &backend_ip : nullptr);
        return true;
    case vcl_variable::beresp_filters:
        out = vcl::value::of(filters.data() != nullptr ? filters : default_filters());
        return true;
    case vcl_variable::beresp_storage:
        out = vcl::value::of(storage == nullptr ? nullptr : svc().storages.of(*storage));
        return true;
    case vcl_variable::beresp_storage_hint:
        out = storage == nullptr ? vcl::value() : vcl::value::of(keep("storage." + storage->identity()));
        return true;
    case vcl_variable::beresp_transit_buffer:
        out = vcl::value::of_integer(static_cast<std::int64_t>(transit_buffer));
        return true;
    default:
        return false;
    }
}

bool backend_host::get_timing(vcl_variable variable, vcl::value& out) noexcept {
    switch (variable) {
    case vcl_variable::beresp_time:
        out = vcl::value::of_real(response_time);
        return true;
    case vcl_variable::beresp_age:
        out = of_duration(now() - timing.t_origin);
        return true;
    case vcl_variable::beresp_ttl:
        out = of_duration(std::max(timing.ttl, 0.0) - (now() - timing.t_origin));
        return true;
    case vcl_variable::beresp_grace:
        out = of_duration(std::max(timing.grace, 0.0));
        return true;
    case vcl_variable::beresp_keep:
        out = of_duration(std::max(timing.keep, 0.0));
        return true;
    default:
        return false;
    }
}

bool* backend_host::flag_of(vcl_variable variable) noexcept {
    switch (variable) {
    case vcl_variable::beresp_do_esi:
        return &do_esi;
    case vcl_variable::beresp_do_gzip:
        return &do_gzip;
    case vcl_variable::beresp_do_gunzip:
        return &do_gunzip;
    case vcl_variable::beresp_do_stream:
        return &do_stream;
    case vcl_variable::beresp_was_304:
        return &was_304;
    case vcl_variable::beresp_uncacheable:
    case vcl_variable::bereq_uncacheable:
        return &uncacheable;
    case vcl_variable::bereq_retry_connect:
        return &retry_connect;
    case vcl_variable::bereq_is_bgfetch:
        return &is_bgfetch;
    case vcl_variable::bereq_is_hitmiss:
        return &is_hitmiss;
    case vcl_variable::bereq_is_hitpass:
        return &is_hitpass;
    default:
        return nullptr;
    }
}

bool backend_host::get_flags(vcl_variable variable, vcl::value& out) noexcept {
    if (variable == vcl_variable::bereq_trace) {
        out = vcl::value::of(traces());
        return true;
    }
    const bool* flag = flag_of(variable);
    if (flag == nullptr) {
        return false;
    }
    out = vcl::value::of(filters_fixed(variable) ? false : *flag);
    return true;
}

bool backend_host::set_own(vcl_variable variable, const vcl::value& v) noexcept {
    if (choice.set(variable, v) || set_timing(variable, v.real) || set_flags(variable, v)) {
        return true;
    }
    switch (variable) {
    case vcl_variable::bereq_trace:
        set_traces(v.boolean);
        return true;
    case vcl_variable::beresp_storage:
        storage = storage_handles::engine_of(v.storage);
        return true;
    case vcl_variable::beresp_storage_hint:
        set_storage_hint(v.string());
        return true;
    case vcl_variable::beresp_filters:
        filters = keep(v.string());
        return true;
    case vcl_variable::bereq_filters:
        request_filters = keep(v.string());
        return true;
    case vcl_variable::beresp_transit_buffer:
        transit_buffer = static_cast<std::uint64_t>(std::max<std::int64_t>(v.integer, 0));
        return true;
    default:
        return false;
    }
}

bool backend_host::set_timing(vcl_variable variable, base::seconds value) noexcept {
    switch (variable) {
    case vcl_variable::beresp_ttl:
        timing.ttl = std::max(value + (now() - timing.t_origin), 0.0);
        break;
    case vcl_variable::beresp_grace:
        timing.grace = std::max(value, 0.0);
        break;
    case vcl_variable::beresp_keep:
        timing.keep = std::max(value, 0.0);
        break;
    default:
        return false;
    }
    log_ttl("VCL", !uncacheable);
    return true;
}

bool backend_host::set_flags(vcl_variable variable, const vcl::value& v) noexcept {
    if (variable == vcl_variable::beresp_uncacheable) {
        set_uncacheable(v.boolean);
        return true;
    }
    bool* flag = flag_of(variable);
    if (flag == nullptr) {
        return false;
    }
    if (!filters_fixed(variable)) {
        *flag = v.boolean;
    }
    return true;
}

void backend_host::set_uncacheable(bool value) noexcept {
    if (uncacheable && !value) {
        log().write(log_tag::VCL_Error, "Ignoring attempt to reset beresp.uncacheable");
    }
    uncacheable = uncacheable || value;
    log_ttl("VCL", !uncacheable);
}

void backend_host::set_storage_hint(std::string_view name) noexcept {
    if (const vcl::storage_handle* found = svc().storages.find(name)) {
        storage = storage_handles::engine_of(found);
    }
}

/// Once VCL has set beresp.filters, the flags that would make the default have no meaning.
bool backend_host::filters_fixed(vcl_variable variable) noexcept {
    bool makes_filters = variable == vcl_variable::beresp_do_esi || variable == vcl_variable::beresp_do_gzip ||
                         variable == vcl_variable::beresp_do_gunzip;
    if (!makes_filters || filters.data() == nullptr) {
        return false;
    }
    fail(fmt::format("beresp.filters are already fixed, {} is undefined", tables::row_of(variable).name));
    return true;
}

std::string_view backend_host::default_filters() noexcept {
    if (!has_body) {
        return "";
    }
    bool supported = svc().params.http_gzip_support();
    const http::field* coding = beresp.find(http::field_id::content_encoding);
    bool is_gzip = coding != nullptr && beresp.is(http::field_id::content_encoding, "gzip");
    bool gunzip = do_gunzip && supported && is_gzip;
    bool gzip = do_gzip && supported && coding == nullptr;
    std::array<char, 48> list; // the longest: " gunzip esi_gzip"
    char* end = list.data();
    auto add = [&end](std::string_view name) { end = base::join(end, ' ', name); };
    if (gunzip || (is_gzip && do_esi)) {
        add("gunzip");
    }
    if (do_esi) {
        add(gzip || (is_gzip && !gunzip) ? "esi_gzip" : "esi");
    } else if (gzip) {
        add("gzip");
    } else if (is_gzip && !gunzip) {
        add("testgunzip");
    }
    std::string_view kept = workspace().copy({list.data(), end});
    return kept.data() == nullptr ? std::string_view("") : kept;
}

void backend_host::log_ttl(std::string_view why, bool cacheable) noexcept {
    log().print(log_tag::TTL, "{} {:.0f} {:.0f} {:.0f} {:.0f} {}", why, timing.ttl, timing.grace, timing.keep,
                timing.t_origin, cacheable ? "cacheable" : "uncacheable");
}

void backend_host::leaving(const vcl::outcome& result) noexcept {
    if (current() == vcl::sub_id::backend_response && result.result == vcl::action::pass && result.duration >= 0) {
        timing.ttl = result.duration;
        timing.grace = 0;
        timing.keep = 0;
        log_ttl("HFP", false);
    }
}

void backend_host::synthetic(std::string_view text, bool replace) noexcept {
    if (replace) {
        synthetic_body.clear();
    }
    synthetic_body.append(text);
}

void backend_host::rollback(vcl::message where) noexcept {
    if (where == vcl::message::bereq && rollback_ != nullptr) {
        rollback_->bereq_rolled_back();
    }
}

void backend_host::unset(vcl_variable variable) noexcept {
    if (variable == vcl_variable::bereq_body && has_request_body && !body_given_up) {
        body_given_up = true;
        bereq.unset(http::field_id::content_length);
    } else if (variable == vcl_variable::beresp_ttl && rollback_ != nullptr) {
        rollback_->timing_rolled_back();
    } else {
        choice.unset(variable);
    }
}

} // namespace clearcoat::flow
