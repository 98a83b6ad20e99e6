// Configuring a shard director. Changes are collected in the task and carried out together, by .reconfigure() or at the
// end of the task.
#include "vmod/directors/functions.hpp"
#include "vmod/directors/hash32.hpp"
#include "vmod/directors/shard_arguments.hpp"

#include "tables/log_tags.hpp"

#include <fmt/core.h>

namespace clearcoat::vmod::directors {

namespace {

constexpr std::int64_t default_replicas = 67;

/// Changes a task has not carried out yet.
struct pending_changes : vcl::task_private {
    shard_director* target = nullptr;
    std::vector<shard_change> changes;

    void task_ends(vcl::host& task) noexcept override {
        if (target != nullptr) {
            target->reconfigure(changes, default_replicas, &task);
        }
    }
};

pending_changes& pending(const vcl::call& c, shard_director& self) {
    // Another address within the object than the one that owns its parameters.
    auto& mine = task_data<pending_changes>(c, static_cast<const vcl::director*>(&self));
    mine.target = &self;
    return mine;
}

std::string text_or_empty(const vcl::value& v) {
    return undefined(v) ? std::string() : std::string(v.string());
}

} // namespace

made new_shard(vcl::call& c, std::string_view name, arguments) {
    return std::make_unique<shard_director>(name, *c.surroundings());
}

// set_warmup(REAL probability=0.0)
vcl::value shard_set_warmup(vcl::call& c, arguments args) {
    auto& self = c.self<shard_director>();
    const double probability = args[0].real;
    if (probability >= 0 && probability < 1) {
        self.set_warmup(probability);
    } else {
        self.log(&c.task(), log_tag::Notice, fmt::format(".set_warmup({:f}) ignored", probability));
    }
    return no_value();
}

// set_rampup(DURATION duration=0)
vcl::value shard_set_rampup(vcl::call& c, arguments args) {
    c.self<shard_director>().set_rampup(args[0].real < 0 ? 0 : args[0].real);
    return no_value();
}

// associate(BLOB param=0)
vcl::value shard_associate(vcl::call& c, arguments args) {
    auto& self = c.self<shard_director>();
    const shard_param* param = param_in(args[0].blob);
    if (args[0].blob != nullptr && param == nullptr) {
        shard_fail(c, self.name(), "shard .associate param invalid");
    } else {
        self.associate(param);
    }
    return no_value();
}

// add_backend(BACKEND backend, [STRING ident], [DURATION rampup], [REAL weight])
vcl::value shard_add_backend(vcl::call& c, arguments args) {
    auto& self = c.self<shard_director>();
    if (args[0].backend == nullptr) {
        shard_fail(c, self.name(), "None backend cannot be added");
        return vcl::value::of(false);
    }
    shard_change change{shard_change::kind::add, args[0].backend, text_or_empty(args[1]), std::nullopt, 1};
    if (c.given(2)) {
        change.rampup = args[2].real;
    }
    if (c.given(3) && args[3].real >= 1) {
        change.weight = args[3].real;
    } else if (c.given(3)) {
        self.log(&c.task(), log_tag::Notice, fmt::format(".add_backend(weight={:f}) ignored", args[3].real));
    }
    pending(c, self).changes.push_back(std::move(change));
    return vcl::value::of(true);
}

// remove_backend([BACKEND backend=0], [STRING ident=0])
vcl::value shard_remove_backend(vcl::call& c, arguments args) {
    auto& self = c.self<shard_director>();
    if (args[0].backend == nullptr && undefined(args[1])) {
        shard_fail(c, self.name(), ".remove_backend(): either backend or ident are required");
        return vcl::value::of(false);
    }
    if (args[0].backend != nullptr || !args[1].string().empty()) {
        pending(c, self).changes.push_back(
            {shard_change::kind::remove, args[0].backend, text_or_empty(args[1]), std::nullopt, 1});
    }
    return vcl::value::of(true);
}

vcl::value shard_clear(vcl::call& c, arguments) {
    pending(c, c.self<shard_director>()).changes.push_back({shard_change::kind::clear, nullptr, {}, std::nullopt, 1});
    return vcl::value::of(true);
}

// reconfigure(INT replicas=67)
vcl::value shard_reconfigure(vcl::call& c, arguments args) {
    auto& self = c.self<shard_director>();
    if (args[0].integer <= 0) {
        self.log(&c.task(), log_tag::Error,
                 fmt::format(".reconfigure() invalid replicas argument {}", args[0].integer));
        return vcl::value::of(false);
    }
    pending_changes& mine = pending(c, self);
    const bool done = self.reconfigure(mine.changes, args[0].integer, &c.task());
    mine.changes.clear();
    return vcl::value::of(done);
}

// key(STRANDS)
vcl::value shard_key(vcl::call&, arguments args) {
    return vcl::value::of_integer(hash32(args[0].strands));
}

// debug(INT)
vcl::value shard_debug(vcl::call&, arguments) {
    // DIFFERS: the flags choose debug records of the reference's implementation, of which there are none here.
    return no_value();
}

} // namespace clearcoat::vmod::directors
