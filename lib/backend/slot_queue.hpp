// The tasks that wait until a backend has fewer connections than its max_connections allow: first come, first served,
// whatever loop they run on.
#pragma once

#include "base/intrusive_list.hpp"
#include "base/thread_annotations.hpp"
#include "net/mail.hpp"

#include <atomic>
#include <cstddef>
#include <functional>

namespace clearcoat::backend {

class slot_queue {
  public:
    /// Lives in the waiting coroutine, which awaits `told` and destroys it only after leave(), when told is no longer
    /// pending().
    struct waiter final : base::list_hook<> {
        explicit waiter(net::loop& home) noexcept : told(home) {}
        net::waker told;
        bool granted = false; // the waiter's slot is taken for it
    };

    bool empty() const noexcept { return count_.load(std::memory_order_seq_cst) == 0; }
    /// False when `limit` tasks wait already. `take` takes a slot where there is one, which is asked at once, too.
    bool enter(waiter& w, std::size_t limit, const std::function<bool()>& take) EXCLUDES(mutex_);
    /// Waits no more. Whether the slot came is settled then.
    void leave(waiter& w) noexcept EXCLUDES(mutex_);
    /// Hands out what there is.
    void serve(const std::function<bool()>& take) EXCLUDES(mutex_);

  private:
    void serve_locked(const std::function<bool()>& take) REQUIRES(mutex_);
    void remove(waiter& w) noexcept REQUIRES(mutex_);

    base::mutex mutex_;
    base::intrusive_list<waiter> waiting_ GUARDED_BY(mutex_);
    std::atomic<std::size_t> count_{0};
};

} // namespace clearcoat::backend
