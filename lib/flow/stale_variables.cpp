// What vcl_backend_refresh sees of the stale object that a 304 was about: obj_stale.*.
#include "cache/storage/storage_set.hpp"
#include "flow/backend_host.hpp"
#include "flow/object_reader.hpp"
#include "flow/storage_handles.hpp"

#include <algorithm>

namespace clearcoat::flow {

using tables::vcl_variable;

std::string_view backend_host::header(vcl::message where, std::string_view name) noexcept {
    if (where != vcl::message::obj_stale) {
        return task_host::header(where, name);
    }
    return stale == nullptr ? std::string_view() : head_of(*stale).get(name);
}

void backend_host::each_header(vcl::message where,
                               const std::function<bool(std::string_view, std::string_view)>& visit) {
    if (where != vcl::message::obj_stale || stale == nullptr) {
        return task_host::each_header(where, visit);
    }
    const http::packed_head_view head = head_of(*stale);
    for (unsigned i = 0; i < head.field_count(); ++i) {
        const http::field f = head.at(i);
        if (!visit(f.name(), f.value())) {
            return;
        }
    }
}

bool backend_host::get_stale(vcl_variable variable, vcl::value& out) noexcept {
    if (stale == nullptr) {
        return false;
    }
    switch (variable) {
    case vcl_variable::obj_stale_can_esi:
        out = vcl::value::of(stale->has(cache::object_flag::esi));
        return true;
    case vcl_variable::obj_stale_hits:
        out = vcl::value::of_integer(static_cast<std::int64_t>(stale->hits()));
        return true;
    case vcl_variable::obj_stale_is_valid:
        out = vcl::value::of(!stale->has(cache::object_flag::dying));
        return true;
    case vcl_variable::obj_stale_proto:
        out = vcl::value::of(head_of(*stale).protocol());
        return true;
    case vcl_variable::obj_stale_reason:
        out = vcl::value::of(head_of(*stale).reason());
        return true;
    case vcl_variable::obj_stale_status:
        out = vcl::value::of_integer(head_of(*stale).status());
        return true;
    case vcl_variable::obj_stale_storage:
        out = vcl::value::of(svc().storages.of(*stale->where()));
        return true;
    case vcl_variable::obj_stale_uncacheable:
        out = vcl::value::of(stale->has(cache::object_flag::hit_for_miss));
        return true;
    default:
        return get_stale_timing(variable, out);
    }
}

bool backend_host::get_stale_timing(vcl_variable variable, vcl::value& out) const noexcept {
    const cache::object_timing t = stale->timing();
    switch (variable) {
    case vcl_variable::obj_stale_age:
        out = vcl::value::of_real(now() - t.t_origin);
        return true;
    case vcl_variable::obj_stale_grace:
        out = vcl::value::of_real(std::max(t.grace, 0.0));
        return true;
    case vcl_variable::obj_stale_keep:
        out = vcl::value::of_real(std::max(t.keep, 0.0));
        return true;
    case vcl_variable::obj_stale_time:
        out = vcl::value::of_real(t.t_origin);
        return true;
    case vcl_variable::obj_stale_ttl:
        out = vcl::value::of_real(std::max(t.ttl, 0.0) - (now() - t.t_origin));
        return true;
    default:
        return false;
    }
}

} // namespace clearcoat::flow
