// The least recently used order of one shard's objects, a list for each storage. The lists are guarded by the shard's
// mutex; how old the oldest of each is can be read without it, so that eviction finds the right shard.
#pragma once

#include "base/intrusive_list.hpp"
#include "cache/object.hpp"
#include "cache/storage/storage.hpp"

#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>

namespace clearcoat::cache {

class lru_lists {
  public:
    static constexpr double nothing = std::numeric_limits<double>::infinity();

    explicit lru_lists(std::size_t storages)
        : lists_(std::make_unique<list[]>(storages)), oldest_(std::make_unique<std::atomic<double>[]>(storages)) {
        for (std::size_t i = 0; i < storages; ++i) {
            oldest_[i].store(nothing, std::memory_order_relaxed);
        }
    }

    static bool contains(const object& o) noexcept { return static_cast<const base::list_hook<in_lru>&>(o).linked(); }
    void add(object& o, double now) noexcept {
        const std::size_t n = o.storage_->number();
        lists_[n].push_back(o);
        o.last_lru_.store(now, std::memory_order_relaxed);
        note(n);
    }
    /// Harmless when `o` is in no list.
    void erase(object& o) noexcept {
        if (contains(o)) {
            const std::size_t n = o.storage_->number();
            lists_[n].erase(o);
            o.last_lru_.store(0, std::memory_order_relaxed);
            note(n);
        }
    }
    /// The oldest object of the storage, then the next.
    object* first(std::size_t storage) noexcept { return lists_[storage].empty() ? nullptr : &lists_[storage].front(); }
    object* after(std::size_t storage, object& o) noexcept { return lists_[storage].next(o); }
    /// The older ones are in use: until the list changes, oldest() tells of what may really go.
    void skip_to(std::size_t storage, double when) noexcept { oldest_[storage].store(when, std::memory_order_relaxed); }
    /// When the oldest was used; `nothing` when there is none. Any thread.
    double oldest(std::size_t storage) const noexcept { return oldest_[storage].load(std::memory_order_relaxed); }

  private:
    using list = base::intrusive_list<object, in_lru>;
    void note(std::size_t n) noexcept {
        oldest_[n].store(lists_[n].empty() ? nothing : lists_[n].front().last_lru(), std::memory_order_relaxed);
    }

    std::unique_ptr<list[]> lists_;
    std::unique_ptr<std::atomic<double>[]> oldest_;
};

} // namespace clearcoat::cache
