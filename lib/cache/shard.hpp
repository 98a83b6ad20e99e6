// One part of the index: a mutex and what it guards. The index decides; a shard keeps its tables consistent. Objects
// that leave it are handed back, to be released once the mutex is free.
#pragma once

#include "base/counted_mutex.hpp"
#include "cache/expiry_heap.hpp"
#include "cache/key_table.hpp"
#include "cache/lookup.hpp"
#include "cache/lru_lists.hpp"

#include <atomic>
#include <cstddef>
#include <limits>

namespace clearcoat::tables {
struct main_counters;
} // namespace clearcoat::tables

namespace clearcoat::cache {

class ban_list;

class shard {
  public:
    shard(tables::main_counters& counters, std::size_t storages) : counters_(counters), lru_(storages) {}

    tables::main_counters& counters() const noexcept { return counters_; }
    base::counted_mutex& guard() noexcept CLEARCOAT_THREAD_ATTRIBUTE(lock_returned(mutex_)) { return mutex_; }
    base::lock_totals locks() const noexcept { return mutex_.totals(); }
    /// When something here runs out; infinity when nothing does. Any thread, exact only under the mutex.
    double next_deadline() const noexcept { return deadline_.load(std::memory_order_relaxed); }
    double oldest(std::size_t storage) const noexcept NO_THREAD_SAFETY_ANALYSIS { return lru_.oldest(storage); }

    key_head* find(const base::digest& key) noexcept REQUIRES(mutex_) { return keys_.find(key); }
    key_head& find_or_make(const base::digest& key) REQUIRES(mutex_);
    /// Drops `head` when nothing is left in it.
    void tidy(key_head& head) noexcept REQUIRES(mutex_);
    std::size_t keys() noexcept REQUIRES(mutex_) { return keys_.size(); }
    key_head* any() noexcept REQUIRES(mutex_) { return keys_.any(); }

    /// A new busy object under `head`; the index's reference and the caller's are counted.
    object& make_busy(key_head& head, std::string_view predicted_vary) noexcept REQUIRES(mutex_);
    /// `o` is complete enough to be found: it goes to the front, is armed, and is busy no more.
    void show(object& o) noexcept REQUIRES(mutex_);
    /// Takes `o` out of everything but the ban list. False when it was out already; else the caller owns what was the
    /// index's reference. Tidying its head is left to the caller, who may want to wake waiters first.
    bool remove(object& o) noexcept REQUIRES(mutex_);
    void rearm(object& o, double when) noexcept REQUIRES(mutex_);
    /// An object that has run out by `now`, or nullptr.
    object* overdue(double now) noexcept REQUIRES(mutex_);
    /// What runs out first, or nullptr.
    object* next_to_expire() noexcept REQUIRES(mutex_) { return expiry_.empty() ? nullptr : &expiry_.front(); }
    void join_lru(object& o, double now) noexcept REQUIRES(mutex_) { lru_.add(o, now); }
    /// Counts a hit, and moves `o` to the young end of its list unless it was there within `interval` seconds.
    void hit(object& o, double now, double interval) noexcept REQUIRES(mutex_);
    /// The oldest object of `storage` that only the index holds, or nullptr; oldest() tells its time from then on.
    object* idle(std::size_t storage) noexcept REQUIRES(mutex_);
    key_head& head_of(object& o) noexcept REQUIRES(mutex_) { return *o.key_; }
    std::string_view predicted_vary(const object& o) const noexcept REQUIRES(mutex_) {
        return {o.predicted_vary_, o.predicted_vary_size_};
    }
    /// Moves up to `most` who wait for `head` to `out`.
    void rush(key_head& head, wake_list& out, std::size_t most) noexcept REQUIRES(mutex_);

  private:
    void note_deadline() noexcept REQUIRES(mutex_) { deadline_.store(expiry_.next(), std::memory_order_relaxed); }

    tables::main_counters& counters_;
    std::atomic<double> deadline_{std::numeric_limits<double>::infinity()};

    alignas(64) base::counted_mutex mutex_;
    key_table keys_ GUARDED_BY(mutex_);
    expiry_heap expiry_ GUARDED_BY(mutex_);
    lru_lists lru_ GUARDED_BY(mutex_); // but for oldest()
};

} // namespace clearcoat::cache
