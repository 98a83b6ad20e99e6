// Who waits for the cache: a node that a suspended task puts on a list, and that the cache wakes from any thread. The
// cache never owns it.
#pragma once

#include "base/intrusive_list.hpp"

namespace clearcoat::cache {

/// Linked into one list at a time: the waiting list of a busy key, or the list of those who watch an object.
/// Life: once registered, the node must live until wake() was called on it, or until the cancel function of the place
/// where it was registered returned true. When cancel returns false, wake() was called or is about to be.
class waiter : public base::list_hook<waiter> {
  public:
    virtual ~waiter() = default;
    /// Called once for each registration, without any lock of the cache held, from the thread that changed the state.
    /// Post to the loop; do not touch the cache from here. The node may be destroyed as soon as this was entered.
    virtual void wake() noexcept = 0;

  private:
    friend class waiter_queue;
    bool registered_ = false; // guarded by the lock of the queue it is in
};

/// Waiters that were taken out of a queue and must be woken once the lock is let go.
class wake_list {
  public:
    wake_list() = default;
    ~wake_list() { wake(); }
    bool empty() const noexcept { return list_.empty(); }
    /// Wakes and unlinks all, in order.
    void wake() noexcept {
        while (waiter* w = list_.pop_front()) {
            w->wake();
        }
    }

  private:
    friend class waiter_queue;
    base::intrusive_list<waiter, waiter> list_;
};

/// A queue of waiters; the lock that guards it must be held for every call.
class waiter_queue {
  public:
    bool empty() const noexcept { return list_.empty(); }
    void add(waiter& w) noexcept {
        w.registered_ = true;
        list_.push_back(w);
    }
    /// Whether `w` was in the queue. The link alone cannot tell: a waiter on its way to be woken is linked elsewhere.
    bool remove(waiter& w) noexcept {
        if (!w.registered_) {
            return false;
        }
        w.registered_ = false;
        list_.erase(w);
        return true;
    }
    /// Moves up to `most` waiters to `out`, oldest first; gives how many.
    std::size_t take(wake_list& out, std::size_t most = static_cast<std::size_t>(-1)) noexcept {
        std::size_t n = 0;
        for (; n < most && !list_.empty(); ++n) {
            waiter* w = list_.pop_front();
            w->registered_ = false;
            out.list_.push_back(*w);
        }
        return n;
    }

  private:
    base::intrusive_list<waiter, waiter> list_;
};

} // namespace clearcoat::cache
