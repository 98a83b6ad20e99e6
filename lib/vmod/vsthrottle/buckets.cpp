#include "vmod/vsthrottle/buckets.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace clearcoat::vmod::throttle {

namespace {

constexpr unsigned calls_between_sweeps = 1000;

} // namespace

std::int64_t bucket_table::bucket::at(base::seconds now) const noexcept {
    const base::seconds passed = std::max(0.0, now - last_taken);
    if (passed >= period) {
        return capacity;
    }
    return std::min(capacity, tokens + static_cast<std::int64_t>(passed / period * static_cast<double>(capacity)));
}

std::string bucket_table::name_of(std::string_view key, const rule& r) {
    std::string name(key);
    for (const void* value : {static_cast<const void*>(&r.limit), static_cast<const void*>(&r.period),
                              static_cast<const void*>(&r.block)}) {
        name.append(static_cast<const char*>(value), 8);
    }
    return name;
}

bucket_table::part& bucket_table::part_of(const std::string& name) noexcept {
    return parts_[std::hash<std::string>()(name) % parts_.size()];
}

bucket_table::bucket& bucket_table::bucket_of(part& in, const std::string& name, const rule& r, base::seconds now) {
    return in.all.try_emplace(name, bucket{r.limit, r.limit, r.period, now}).first->second;
}

void bucket_table::sweep(part& in, base::seconds now) {
    std::erase_if(in.all, [now](const auto& entry) {
        const bucket& b = entry.second;
        return now - b.last_taken > b.period && now > b.blocked_until;
    });
    in.calls = 0;
}

bool bucket_table::take(std::string_view key, const rule& r, base::seconds now) {
    const std::string name = name_of(key, r);
    part& in = part_of(name);
    std::lock_guard hold(in.mutex);
    bucket& b = bucket_of(in, name, r, now);
    const std::int64_t there = b.at(now);
    const bool blocked = now < b.blocked_until;
    if (there > 0) {
        b.tokens = there - 1;
        b.last_taken = now;
    } else if (r.block > 0 && !blocked) {
        b.blocked_until = now + r.block;
    }
    const bool given = there > 0 && !blocked;
    if (++in.calls >= calls_between_sweeps) {
        sweep(in, now);
    }
    return given;
}

void bucket_table::put_back(std::string_view key, const rule& r, base::seconds now) {
    const std::string name = name_of(key, r);
    part& in = part_of(name);
    std::lock_guard hold(in.mutex);
    bucket& b = bucket_of(in, name, r, now);
    b.tokens = std::min(b.capacity, b.tokens + 1);
}

std::int64_t bucket_table::remaining(std::string_view key, const rule& r, base::seconds now) {
    const std::string name = name_of(key, r);
    part& in = part_of(name);
    std::lock_guard hold(in.mutex);
    const auto found = in.all.find(name);
    return found == in.all.end() ? r.limit : found->second.at(now);
}

base::seconds bucket_table::blocked(std::string_view key, const rule& r, base::seconds now) {
    const std::string name = name_of(key, r);
    part& in = part_of(name);
    std::lock_guard hold(in.mutex);
    const auto found = in.all.find(name);
    return found == in.all.end() ? 0 : std::max(0.0, found->second.blocked_until - now);
}

void bucket_table::remove(std::string_view key, const rule& r) {
    const std::string name = name_of(key, r);
    part& in = part_of(name);
    std::lock_guard hold(in.mutex);
    in.all.erase(name);
}

std::size_t bucket_table::size() {
    std::size_t sum = 0;
    for (part& p : parts_) {
        std::lock_guard hold(p.mutex);
        sum += p.all.size();
    }
    return sum;
}

} // namespace clearcoat::vmod::throttle
