#include "worker/vxids.hpp"

namespace clearcoat::worker {

vxid_supply::chunk vxid_supply::take() noexcept {
    const base::lock_guard lock(mutex_);
    const chunk out{base_, chunk_size_, generation_.load(std::memory_order_relaxed)};
    base_ = (base_ + chunk_size_) & mask_;
    return out;
}

void vxid_supply::restart(base::vxid_number base, std::uint32_t chunk_size) noexcept {
    const base::lock_guard lock(mutex_);
    base_ = base & mask_;
    chunk_size_ = chunk_size == 0 ? 1 : chunk_size;
    generation_.fetch_add(1, std::memory_order_relaxed);
}

base::vxid_number vxid_supply::position() const noexcept {
    const base::lock_guard lock(mutex_);
    return base_;
}

std::uint32_t vxid_supply::chunk_size() const noexcept {
    const base::lock_guard lock(mutex_);
    return chunk_size_;
}

base::vxid_number vxid_cache::next() noexcept {
    do {
        if (chunk_.left == 0 || chunk_.generation != supply_.generation()) {
            chunk_ = supply_.take();
        }
        --chunk_.left;
        chunk_.last_used = (chunk_.last_used + 1) & supply_.mask();
    } while (chunk_.last_used == 0);
    return chunk_.last_used;
}

} // namespace clearcoat::worker
