#include "cache/surrogate_keys.hpp"

#include <algorithm>

namespace clearcoat::cache {

namespace {

constexpr std::string_view separators = " \t\r\n,";

/// Takes the first key off `list`; empty when there is none left.
std::string_view next_key(std::string_view& list) noexcept {
    list.remove_prefix(std::min(list.find_first_not_of(separators), list.size()));
    const std::string_view key = list.substr(0, list.find_first_of(separators));
    list.remove_prefix(key.size());
    return key;
}

} // namespace

void surrogate_keys::count_users(int change) noexcept {
    if (users_.fetch_add(change, std::memory_order_relaxed) + change > 0) {
        return;
    }
    const base::lock_guard lock(mutex_);
    objects_.clear();
    keys_.clear();
    tagged_.store(0, std::memory_order_relaxed);
}

void surrogate_keys::add(object& o, std::string_view list) {
    const base::lock_guard lock(mutex_);
    std::vector<carried_key> carried;
    for (std::string_view key = next_key(list); !key.empty(); key = next_key(list)) {
        auto at = objects_.find(key);
        if (at == objects_.end()) {
            at = objects_.try_emplace(std::string(key)).first;
        }
        if (std::none_of(carried.begin(), carried.end(), [&](const carried_key& c) { return c.key == &*at; })) {
            carried.push_back({&*at, at->second.size()});
            at->second.push_back(&o);
        }
    }
    if (!carried.empty()) {
        keys_.insert_or_assign(&o, std::move(carried));
        tagged_.store(keys_.size(), std::memory_order_release);
    }
}

void surrogate_keys::take_out(const object& o, const carried_key& carried) noexcept {
    std::vector<object*>& carriers = carried.key->second;
    object* const last = carriers.back();
    carriers[carried.position] = last;
    carriers.pop_back();
    if (carriers.empty()) {
        objects_.erase(objects_.find(carried.key->first));
    } else if (last != &o) {
        std::vector<carried_key>& keys = keys_.find(last)->second;
        std::find_if(keys.begin(), keys.end(), [&](const carried_key& c) { return c.key == carried.key; })->position =
            carried.position;
    }
}

void surrogate_keys::forget(const object& o) noexcept {
    if (tagged_.load(std::memory_order_acquire) == 0) {
        return;
    }
    const base::lock_guard lock(mutex_);
    const auto found = keys_.find(&o);
    if (found == keys_.end()) {
        return;
    }
    for (const carried_key& carried : found->second) {
        take_out(o, carried);
    }
    keys_.erase(found);
    tagged_.store(keys_.size(), std::memory_order_release);
}

std::vector<object_ref> surrogate_keys::find(std::string_view key) {
    std::vector<object_ref> out;
    const base::lock_guard lock(mutex_);
    const auto found = objects_.find(key);
    if (found != objects_.end()) {
        out.reserve(found->second.size());
        for (object* o : found->second) {
            out.emplace_back(*o);
        }
    }
    return out;
}

} // namespace clearcoat::cache
