// Where a loop's sessions and requests live: equal pieces of memory, some of them kept for the next use, counted for
// MEMPOOL. Loop thread only.
#pragma once

#include "base/arena.hpp"
#include "tables/counters.hpp"

#include <cstddef>

namespace clearcoat::server {

class slot_pool {
  public:
    /// `size` bytes each; at most `keep` unused ones are held.
    slot_pool(std::size_t size, std::size_t keep) noexcept : places_(size, keep) {
        counts_.sz_wanted = counts_.sz_actual = size;
    }

    /// nullptr when memory is out.
    void* take() noexcept {
        ++(places_.held() != 0 ? counts_.recycle : counts_.randry);
        void* place = places_.take();
        counts_.pool = places_.held();
        if (place != nullptr) {
            ++counts_.allocs;
            ++counts_.live;
        }
        return place;
    }
    void give(void* place) noexcept {
        ++counts_.frees;
        --counts_.live;
        places_.give(place);
        if (places_.held() == counts_.pool) {
            ++counts_.surplus;
        }
        counts_.pool = places_.held();
    }
    const tables::mempool_counters& counts() const noexcept { return counts_; }

  private:
    base::chunk_cache places_;
    tables::mempool_counters counts_;
};

} // namespace clearcoat::server
