// Parameter sets of shard directors: the VCL's own values are set in vcl_init, a fetch changes its own copy.
#include "vmod/directors/functions.hpp"
#include "vmod/directors/shard_arguments.hpp"

#include <fmt/core.h>

namespace clearcoat::vmod::directors {

namespace {

/// The values a call may change; nullptr after a failure.
shard_values* changeable(vcl::call& c, std::string_view function) {
    auto& self = c.self<shard_param>();
    if (is_fetch_side(c.where())) {
        return &task_data<task_values>(c, &self).values;
    }
    if (vcl::housekeeping_subs.contains(c.where())) {
        return &self.values();
    }
    shard_fail(c, self.name(), fmt::format("{} may only be used in vcl_init and in backend/pipe context", function));
    return nullptr;
}

/// What a director with this set would use here.
shard_values effective(vcl::call& c) {
    shard_values all;
    c.self<shard_param>().complete(all, is_fetch_side(c.where()) ? &c.task() : nullptr);
    return all;
}

} // namespace

made new_shard_param(vcl::call&, std::string_view name, arguments) {
    return std::make_unique<shard_param>(name);
}

vcl::value param_clear(vcl::call& c, arguments) {
    if (shard_values* values = changeable(c, "shard_param.clear()")) {
        *values = shard_values();
    }
    return no_value();
}

// set([ENUM by], [INT key], [BLOB key_blob], [INT alt], [REAL warmup], [BOOL rampup], [ENUM healthy])
vcl::value param_set(vcl::call& c, arguments args) {
    if (shard_values* values = changeable(c, "shard_param.set()")) {
        if (const auto given = shard_arguments(c, args, c.self<shard_param>().name(), "shard_param.set()")) {
            *values = *given;
        }
    }
    return no_value();
}

vcl::value param_get_by(vcl::call& c, arguments) {
    switch (effective(c).by.value_or(key_source::hash)) {
    case key_source::url:
        return text_value("URL");
    case key_source::key:
        return text_value("KEY");
    case key_source::blob:
        return text_value("BLOB");
    case key_source::hash:
        break;
    }
    return text_value("HASH");
}

vcl::value param_get_key(vcl::call& c, arguments) {
    return vcl::value::of_integer(key_of(effective(c), c.task()));
}

vcl::value param_get_alt(vcl::call& c, arguments) {
    return vcl::value::of_integer(effective(c).alternative.value_or(0));
}

vcl::value param_get_warmup(vcl::call& c, arguments) {
    return vcl::value::of_real(effective(c).warmup.value_or(-1));
}

vcl::value param_get_rampup(vcl::call& c, arguments) {
    return vcl::value::of(effective(c).rampup.value_or(true));
}

vcl::value param_get_healthy(vcl::call& c, arguments) {
    switch (effective(c).healthy.value_or(shard_health::chosen)) {
    case shard_health::ignore:
        return text_value("IGNORE");
    case shard_health::all:
        return text_value("ALL");
    case shard_health::chosen:
        break;
    }
    return text_value("CHOSEN");
}

vcl::value param_use(vcl::call& c, arguments) {
    return vcl::value::of(blob_of(c, c.self<shard_param>()));
}

} // namespace clearcoat::vmod::directors
