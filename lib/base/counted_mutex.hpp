// A mutex that counts how often it was taken, for the LCK counters. The numbers are written under the lock itself, so
// that counting costs no shared cache line of its own; anybody may read them.
#pragma once

#include "base/thread_annotations.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace clearcoat::base {

/// Of one mutex, or of several of a kind together.
struct lock_totals {
    std::uint64_t mutexes = 0;
    std::uint64_t taken = 0;
    std::uint64_t waited = 0; // taken only after another thread let go

    lock_totals& operator+=(const lock_totals& other) noexcept {
        mutexes += other.mutexes;
        taken += other.taken;
        waited += other.waited;
        return *this;
    }
};

class CAPABILITY("mutex") counted_mutex {
  public:
    void lock() ACQUIRE() {
        if (!impl_.try_lock()) {
            impl_.lock();
            increase(waited_);
        }
        increase(taken_);
    }
    void unlock() RELEASE() { impl_.unlock(); }

    /// Any thread, without the lock.
    lock_totals totals() const noexcept {
        return {1, taken_.load(std::memory_order_relaxed), waited_.load(std::memory_order_relaxed)};
    }

  private:
    /// Only the holder writes.
    static void increase(std::atomic<std::uint64_t>& n) noexcept {
        n.store(n.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }

    std::mutex impl_;
    std::atomic<std::uint64_t> taken_{0};
    std::atomic<std::uint64_t> waited_{0};
};

} // namespace clearcoat::base
