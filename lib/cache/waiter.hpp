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
    /// Called once for each registration, without any lock of the cache held, from the thread that changed the state.
    /// Post to the loop; do not touch the cache from here. The node may be destroyed as soon as this was entered.
    virtual void wake() noexcept = 0;

  protected:
    ~waiter() = default;
};

using waiter_list = base::intrusive_list<waiter, waiter>;

/// Wakes and unlinks all in `list`, in order.
inline void wake_all(waiter_list& list) noexcept {
    while (waiter* w = list.pop_front()) {
        w->wake();
    }
}

} // namespace clearcoat::cache
