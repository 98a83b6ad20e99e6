// Where a loop's sessions and requests live: equal pieces of memory, some of them kept for the next use, counted for
// MEMPOOL. Loop thread only.
#pragma once

#include "tables/counters.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace clearcoat::server {

class slot_pool {
  public:
    /// `size` bytes each; at most `keep` unused ones are held.
    slot_pool(std::size_t size, std::size_t keep) noexcept : size_(size), keep_(keep) {
        counts_.sz_wanted = counts_.sz_actual = size;
    }
    ~slot_pool() {
        while (free_ != nullptr) {
            std::free(pop());
        }
    }
    slot_pool(const slot_pool&) = delete;
    slot_pool& operator=(const slot_pool&) = delete;

    /// nullptr when memory is out.
    void* take() noexcept {
        void* place = free_ != nullptr ? pop() : allocate();
        if (place != nullptr) {
            ++counts_.allocs;
            ++counts_.live;
        }
        return place;
    }
    void give(void* place) noexcept {
        ++counts_.frees;
        --counts_.live;
        if (counts_.pool >= keep_) {
            ++counts_.surplus;
            std::free(place);
            return;
        }
        free_ = new (place) slot{free_};
        ++counts_.pool;
    }
    const tables::mempool_counters& counts() const noexcept { return counts_; }

  private:
    struct slot {
        slot* next;
    };
    void* pop() noexcept {
        slot* first = free_;
        free_ = first->next;
        --counts_.pool;
        ++counts_.recycle;
        return first;
    }
    void* allocate() noexcept {
        ++counts_.randry;
        return std::malloc(size_);
    }

    const std::size_t size_;
    const std::size_t keep_;
    slot* free_ = nullptr;
    tables::mempool_counters counts_;
};

} // namespace clearcoat::server
