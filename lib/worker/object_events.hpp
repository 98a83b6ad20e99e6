// Hands what the cache says about objects to the modules that listen. Modules come and go on the control thread while
// loops store objects.
#pragma once

#include "cache/object_watcher.hpp"
#include "vcl/vm/environment.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <vector>

namespace clearcoat::worker {

class object_events final : public cache::object_watcher {
  public:
    void add(vcl::object_listener& listener) {
        const std::lock_guard lock(mutex_);
        listeners_.push_back(&listener);
        wanted_ = true;
    }
    /// When it returns, the listener is called no more.
    void remove(vcl::object_listener& listener) noexcept {
        const std::lock_guard lock(mutex_);
        std::erase(listeners_, &listener);
        wanted_ = !listeners_.empty();
    }

    bool wanted() const noexcept override { return wanted_.load(std::memory_order_relaxed); }
    void stored(const cache::object& o) noexcept override {
        const std::shared_lock lock(mutex_);
        for (vcl::object_listener* l : listeners_) {
            l->object_stored(&o);
        }
    }
    void removed(const cache::object& o) noexcept override {
        const std::shared_lock lock(mutex_);
        for (vcl::object_listener* l : listeners_) {
            l->object_removed(&o);
        }
    }

  private:
    std::atomic<bool> wanted_{false};
    std::shared_mutex mutex_;
    std::vector<vcl::object_listener*> listeners_; // guarded by mutex_
};

} // namespace clearcoat::worker
