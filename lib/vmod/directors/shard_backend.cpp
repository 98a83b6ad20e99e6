// shard.backend(): a choice now, or parameters for the choice that the fetch makes later.
#include "vmod/directors/functions.hpp"
#include "vmod/directors/shard_arguments.hpp"

#include <algorithm>

namespace clearcoat::vmod::directors {

namespace {

constexpr std::size_t arg_param = 7;
constexpr std::size_t arg_resolve = 8;

bool gives_parameters(const vcl::call& c) noexcept {
    for (std::size_t i = 0; i < arg_resolve; ++i) {
        if (c.given(i)) {
            return true;
        }
    }
    return false;
}

/// false after a failure.
bool take_param(const vcl::call& c, arguments args, const shard_director& self, const shard_param*& param) {
    if (!c.given(arg_param)) {
        return true;
    }
    param = param_in(args[arg_param].blob);
    if (param == nullptr) {
        shard_fail(c, self.name(), ".backend(key_blob) param invalid");
    }
    return param != nullptr;
}

vcl::director* later(vcl::call& c, arguments args, shard_director& self) {
    if (!gives_parameters(c)) {
        return &self;
    }
    if (!is_fetch_side(c.where())) {
        shard_fail(c, self.name(),
                   ".backend(resolve=LAZY) with other parameters can only be used in backend/pipe context");
        return nullptr;
    }
    auto& kept = task_data<task_values>(c, &self);
    if (!take_param(c, args, self, kept.use)) {
        return nullptr;
    }
    const std::optional<shard_values> values = shard_arguments(c, args, self.name(), "shard.backend()");
    if (!values) {
        return nullptr;
    }
    kept.values = *values;
    return &self;
}

vcl::director* now(vcl::call& c, arguments args, shard_director& self) {
    if (vcl::housekeeping_subs.contains(c.where())) {
        shard_fail(c, self.name(), ".backend(resolve=NOW) can not be used in vcl_init{}/vcl_fini{}");
        return nullptr;
    }
    const shard_param* param = nullptr;
    if (!take_param(c, args, self, param)) {
        return nullptr;
    }
    std::optional<shard_values> values = shard_arguments(c, args, self.name(), "shard.backend()");
    if (!values) {
        return nullptr;
    }
    if (param != nullptr) {
        param->complete(*values, &c.task());
    } else {
        self.complete(*values, c.task());
    }
    return self.pick(c.task(), to_choice(*values, c.task()));
}

} // namespace

// backend([ENUM by], [INT key], [BLOB key_blob], [INT alt], [REAL warmup], [BOOL rampup], [ENUM healthy], [BLOB param],
// [ENUM resolve])
vcl::value shard_backend(vcl::call& c, arguments args) {
    auto& self = c.self<shard_director>();
    const bool lazy =
        c.given(arg_resolve) ? args[arg_resolve].string() == "LAZY" : vcl::housekeeping_subs.contains(c.where());
    return vcl::value::of(lazy ? later(c, args, self) : now(c, args, self));
}

} // namespace clearcoat::vmod::directors
