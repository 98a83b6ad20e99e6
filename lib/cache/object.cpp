#include "cache/object.hpp"

#include "cache/body_segment.hpp"
#include "cache/shard.hpp"
#include "cache/storage/storage.hpp"
#include "tables/counters.hpp"

#include <cstdlib>

namespace clearcoat::cache {

object::object(shard& owner) noexcept : owner_(owner) {
    tables::bump(owner.counters().n_objectcore);
}

object::~object() {
    tables::drop(owner_.counters().n_objectcore);
}

void object::destroy() noexcept {
    CLEARCOAT_ASSERT(key_ == nullptr);
    CLEARCOAT_ASSERT(ban_.load(std::memory_order_relaxed) == nullptr);
    give_storage_back();
    std::free(predicted_vary_);
    delete this;
}

void object::give_storage_back() noexcept {
    if (storage_ == nullptr) {
        return;
    }
    free_chain(first_.exchange(nullptr, std::memory_order_relaxed));
    free_retired();
    last_ = nullptr;
    length_.store(0, std::memory_order_relaxed);
    if (head_block_ != nullptr) {
        storage_->free(std::exchange(head_block_, nullptr), std::size_t{head_size_} + vary_size_);
        head_size_ = vary_size_ = 0;
    }
    if (esi_block_ != nullptr) {
        storage_->free(std::exchange(esi_block_, nullptr), std::exchange(esi_size_, 0));
    }
    delete std::exchange(gzip_, nullptr);
    storage_->discharge(std::exchange(charged_, 0));
    storage_ = nullptr;
    tables::drop(owner_.counters().n_object);
}

void object::free_chain(body_segment* first) noexcept {
    while (first != nullptr) {
        body_segment* next = first->next.load(std::memory_order_relaxed);
        storage_->free(reinterpret_cast<char*>(first), first->block_size);
        first = next;
    }
}

void object::free_retired() noexcept {
    body_segment* old = nullptr;
    {
        base::lock_guard lock(growth_);
        if (streamers_.load(std::memory_order_acquire) != 0) {
            return;
        }
        old = std::exchange(retired_, nullptr);
    }
    if (old != nullptr) {
        storage_->free(reinterpret_cast<char*>(old), old->block_size);
    }
}

bool object::watch(waiter& w, const object_progress& seen) noexcept {
    base::lock_guard lock(growth_);
    if (progress() != seen || seen.state >= object_state::finished) {
        return false;
    }
    watchers_.add(w);
    return true;
}

bool object::unwatch(waiter& w) noexcept {
    base::lock_guard lock(growth_);
    return watchers_.remove(w);
}

void object::advance(object_state next) noexcept {
    wake_list woken; // goes last: wakes after the lock was let go
    base::lock_guard lock(growth_);
    if (state_.load(std::memory_order_relaxed) < next) {
        state_.store(next, std::memory_order_release);
        watchers_.take(woken);
    }
}

void object::publish(std::uint64_t length) noexcept {
    wake_list woken;
    base::lock_guard lock(growth_);
    length_.store(length, std::memory_order_release);
    watchers_.take(woken);
}

bool object::watch_drain(waiter& w, std::uint64_t limit) noexcept {
    base::lock_guard lock(growth_);
    if (has(object_flag::cancel) || length() - consumed_.load(std::memory_order_relaxed) <= limit) {
        return false;
    }
    drain_.add(w);
    return true;
}

bool object::unwatch_drain(waiter& w) noexcept {
    base::lock_guard lock(growth_);
    return drain_.remove(w);
}

void object::note_consumed(std::uint64_t position) noexcept {
    wake_list woken;
    base::lock_guard lock(growth_);
    consumed_.store(position, std::memory_order_release);
    drain_.take(woken);
}

} // namespace clearcoat::cache
