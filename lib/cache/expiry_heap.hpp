// The objects of one shard by the time they run out: a binary heap whose places the objects know, so that a timer can
// be moved. Guarded by the shard's mutex.
#pragma once

#include "cache/object.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace clearcoat::cache {

class expiry_heap {
  public:
    bool empty() const noexcept { return heap_.empty(); }
    std::size_t size() const noexcept { return heap_.size(); }
    /// The earliest time; infinity when empty.
    double next() const noexcept { return empty() ? std::numeric_limits<double>::infinity() : heap_.front().when; }
    object& front() noexcept { return *heap_.front().what; }

    void insert(object& o, double when);
    /// Harmless when `o` is not in the heap.
    void erase(object& o) noexcept;
    /// Gives `o`, which is in the heap, another time.
    void move(object& o, double when) noexcept;
    static bool contains(const object& o) noexcept { return o.heap_slot_ != 0; }

  private:
    struct entry {
        double when;
        object* what;
    };
    void put(std::size_t at, entry e) noexcept;
    void sift_up(std::size_t at, entry e) noexcept;
    void sift_down(std::size_t at, entry e) noexcept;
    void settle(std::size_t at, entry e) noexcept;

    std::vector<entry> heap_;
};

} // namespace clearcoat::cache
