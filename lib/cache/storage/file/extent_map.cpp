#include "cache/storage/file/extent_map.hpp"

#include <iterator>

namespace clearcoat::cache {

extent_map::extent_map(std::uint64_t size, std::uint64_t limit_of_small) : limit_of_small_(limit_of_small) {
    if (size != 0) {
        insert({0, size});
    }
}

void extent_map::insert(extent e) {
    by_offset_.emplace(e.offset, e.size);
    by_size_.emplace(e.size, e.offset);
    free_ += e.size;
    small_ += e.size < limit_of_small_ ? 1 : 0;
}

void extent_map::erase(std::map<std::uint64_t, std::uint64_t>::iterator at) {
    by_size_.erase({at->second, at->first});
    free_ -= at->second;
    small_ -= at->second < limit_of_small_ ? 1 : 0;
    by_offset_.erase(at);
}

std::optional<extent_map::extent> extent_map::take(std::uint64_t size, std::uint64_t least) {
    auto fit = by_size_.lower_bound({size, 0});
    if (fit == by_size_.end()) {
        if (by_size_.empty() || largest() < least) {
            return std::nullopt;
        }
        fit = std::prev(fit);
        size = fit->first;
    }
    const auto [whole, offset] = *fit;
    erase(by_offset_.find(offset));
    if (whole > size) {
        insert({offset + size, whole - size});
    }
    return extent{offset, size};
}

void extent_map::give(extent e) {
    auto after = by_offset_.lower_bound(e.offset);
    if (after != by_offset_.begin()) {
        if (auto before = std::prev(after); before->first + before->second == e.offset) {
            e = {before->first, before->second + e.size};
            erase(before);
        }
    }
    if (after != by_offset_.end() && e.offset + e.size == after->first) {
        e.size += after->second;
        erase(after);
    }
    insert(e);
}

} // namespace clearcoat::cache
