// Which parts of a linear space are free: best fit, with neighbours joined when they come free. Sizes are in granules'
// multiples; the map itself lives in the heap. Not thread-safe: its owner locks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace clearcoat::cache {

class extent_map {
  public:
    /// All of [0, size) is free; extents below `limit_of_small` are counted apart.
    explicit extent_map(std::uint64_t size, std::uint64_t limit_of_small = 128 * 1024);

    struct extent {
        std::uint64_t offset;
        std::uint64_t size;
    };
    /// The smallest free place of `size`; else the largest there is when it has at least `least`.
    std::optional<extent> take(std::uint64_t size, std::uint64_t least);
    void give(extent e);

    std::uint64_t free_bytes() const noexcept { return free_; }
    std::size_t free_extents() const noexcept { return by_offset_.size(); }
    /// The largest free extent; 0 when all is taken.
    std::uint64_t largest() const noexcept { return by_size_.empty() ? 0 : by_size_.rbegin()->first; }
    /// Free extents that are smaller than `limit_of_small`.
    std::size_t small_extents() const noexcept { return small_; }

  private:
    void insert(extent e);
    void erase(std::map<std::uint64_t, std::uint64_t>::iterator at);

    std::map<std::uint64_t, std::uint64_t> by_offset_;          // offset → size
    std::set<std::pair<std::uint64_t, std::uint64_t>> by_size_; // size, offset
    std::uint64_t free_ = 0;
    std::uint64_t limit_of_small_;
    std::size_t small_ = 0;
};

} // namespace clearcoat::cache
