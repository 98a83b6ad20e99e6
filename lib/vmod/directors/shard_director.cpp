#include "vmod/directors/shard_director.hpp"

#include "tables/log_tags.hpp"
#include "tables/vcl_variables.hpp"
#include "vmod/directors/hash32.hpp"

#include <algorithm>
#include <mutex>

#include <fmt/core.h>

namespace clearcoat::vmod::directors {

void shard_values::complete_from(const shard_values& other) noexcept {
    if (!by && other.by) {
        by = other.by;
        key = other.key;
    }
    alternative = alternative ? alternative : other.alternative;
    warmup = warmup ? warmup : other.warmup;
    rampup = rampup ? rampup : other.rampup;
    healthy = healthy ? healthy : other.healthy;
}

namespace {

const task_values* task_values_of(vcl::host* task, const void* owner) {
    return task == nullptr ? nullptr
                           : static_cast<const task_values*>(task->private_data(vcl::private_scope::task, owner).get());
}

/// The URL of the request this task has.
std::uint32_t url_key(vcl::host& task) {
    vcl::value url = task.get(tables::vcl_variable::req_url);
    if (url.text.data == nullptr) {
        url = task.get(tables::vcl_variable::bereq_url);
    }
    return hash32({url.string()});
}

} // namespace

void shard_param::complete(shard_values& to, vcl::host* task) const {
    if (const task_values* own = task_values_of(task, this)) {
        to.complete_from(own->values);
    }
    to.complete_from(values_);
}

std::uint32_t key_of(const shard_values& values, vcl::host& task) {
    switch (values.by.value_or(key_source::hash)) {
    case key_source::key:
    case key_source::blob:
        return values.key;
    case key_source::url:
        return url_key(task);
    case key_source::hash:
        break;
    }
    const vcl::blob* hash = task.get(tables::vcl_variable::bereq_hash).blob;
    if (hash == nullptr || hash->bytes.size() < 4) {
        return url_key(task); // the client's side, before the request has a hash
    }
    std::uint32_t key = 0;
    for (std::byte b : hash->bytes.first(4)) {
        key = key << 8 | std::to_integer<std::uint32_t>(b);
    }
    return key;
}

shard_choice to_choice(const shard_values& values, vcl::host& task) {
    return {key_of(values, task), values.alternative.value_or(0), values.warmup.value_or(-1),
            values.rampup.value_or(true), values.healthy.value_or(shard_health::chosen)};
}

shard_director::shard_director(std::string_view name, vcl::environment& surroundings)
    : vcl::director(std::string(name)), surroundings_(surroundings) {
    surroundings_.add_director(*this);
}

shard_director::~shard_director() {
    surroundings_.remove_director(*this);
}

vcl::director::health shard_director::state(vcl::host* task) noexcept {
    std::shared_lock hold(mutex_);
    health result{false, 0};
    for (const shard_member& m : ring_.members()) {
        const health one = m.backend->effective_state(task);
        result.changed = std::max(result.changed, one.changed);
        result.healthy = one.healthy;
        if (one.healthy) {
            break;
        }
    }
    return result;
}

void shard_director::complete(shard_values& to, vcl::host& task) const {
    const task_values* own = task_values_of(&task, this);
    if (own != nullptr) {
        to.complete_from(own->values);
    }
    const shard_param* behind = own != nullptr && own->use != nullptr ? own->use : associated();
    if (behind != nullptr) {
        behind->complete(to, &task);
    }
}

vcl::director* shard_director::resolve(vcl::host& task) noexcept {
    shard_values values;
    complete(values, task);
    return pick(task, to_choice(values, task));
}

vcl::director* shard_director::pick(vcl::host& task, shard_choice choice) {
    std::shared_lock hold(mutex_);
    if (ring_.members().empty()) {
        log(&task, log_tag::Error, "no backends");
        return nullptr;
    }
    const auto most = static_cast<std::int64_t>(ring_.members().size()) - 1;
    if (choice.alternative > most) {
        log(&task, log_tag::Error, fmt::format("parameter alt={} limited to {}", choice.alternative, most));
        choice.alternative = most;
    }
    return ring_.pick(task, choice, warmup_.load(std::memory_order_relaxed), rampup_.load(std::memory_order_relaxed));
}

bool shard_director::reconfigure(const std::vector<shard_change>& changes, std::int64_t replicas, vcl::host* task) {
    if (changes.empty()) {
        return true;
    }
    std::lock_guard hold(mutex_);
    const bool any = ring_.apply(changes, replicas, [&](const shard_member& m) {
        log(task, log_tag::Notice,
            fmt::format("backend {}{}{} already exists - skipping", m.backend->name(), m.ident.empty() ? "" : "/",
                        m.ident));
    });
    if (!any) {
        log(task, log_tag::Error, ".reconfigure() no backends");
    }
    return any;
}

void shard_director::log(vcl::host* task, log_tag tag, std::string_view text) const {
    const std::string line = fmt::format("vmod_directors: shard {}: {}", name(), text);
    if (task != nullptr) {
        task->log().write(tag, line);
    } else {
        surroundings_.log_record(tag, line);
    }
}

} // namespace clearcoat::vmod::directors
