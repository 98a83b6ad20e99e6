// Transaction numbers. Loops take them in chunks, so that the common case touches nothing shared; `debug.xid` starts
// the count anew and shrinks the chunks, which makes numbers predictable for tests. Any thread.
#pragma once

#include "base/counted_mutex.hpp"
#include "base/log.hpp"

#include <atomic>
#include <cstdint>

namespace clearcoat::worker {

class vxid_supply {
  public:
    /// `mask`: the bits that a number may have, the lowest ones; what the log's records have room for.
    explicit vxid_supply(base::vxid_number mask) noexcept : mask_(mask) {}

    struct chunk {
        base::vxid_number last_used = 0; // the number before the first of the chunk
        std::uint32_t left = 0;
        std::uint32_t generation = 0;
    };
    chunk take() noexcept EXCLUDES(mutex_);
    /// The next number taken is `base` + 1.
    void restart(base::vxid_number base, std::uint32_t chunk_size) noexcept EXCLUDES(mutex_);
    /// Grows with each restart: chunks of before are void.
    std::uint32_t generation() const noexcept { return generation_.load(std::memory_order_relaxed); }
    base::vxid_number mask() const noexcept { return mask_; }
    base::vxid_number position() const noexcept EXCLUDES(mutex_);
    std::uint32_t chunk_size() const noexcept EXCLUDES(mutex_);
    base::lock_totals locks() const noexcept { return mutex_.totals(); }

  private:
    const base::vxid_number mask_;
    mutable base::counted_mutex mutex_;
    base::vxid_number base_ GUARDED_BY(mutex_) = 0;
    std::uint32_t chunk_size_ GUARDED_BY(mutex_) = 32768;
    std::atomic<std::uint32_t> generation_{0};
};

/// One loop's numbers.
class vxid_cache {
  public:
    explicit vxid_cache(vxid_supply& supply) noexcept : supply_(supply) {}
    /// Never 0.
    base::vxid_number next() noexcept;

  private:
    vxid_supply& supply_;
    vxid_supply::chunk chunk_;
};

} // namespace clearcoat::worker
