#include "backend/slot_queue.hpp"

namespace clearcoat::backend {

bool slot_queue::enter(waiter& w, std::size_t limit, const std::function<bool()>& take) {
    base::lock_guard lock(mutex_);
    if (count_.load(std::memory_order_relaxed) >= limit) {
        return false;
    }
    waiting_.push_back(w);
    // Either a slot that is given back from now on finds the queue not empty, or it is found here.
    count_.fetch_add(1, std::memory_order_seq_cst);
    serve_locked(take);
    return true;
}

void slot_queue::leave(waiter& w) noexcept {
    base::lock_guard lock(mutex_);
    if (w.linked()) {
        remove(w);
    }
}

void slot_queue::serve(const std::function<bool()>& take) {
    base::lock_guard lock(mutex_);
    serve_locked(take);
}

void slot_queue::serve_locked(const std::function<bool()>& take) {
    while (!waiting_.empty() && take()) {
        waiter& first = waiting_.front();
        remove(first);
        first.granted = true;
        first.told.wake();
    }
}

void slot_queue::remove(waiter& w) noexcept {
    waiting_.erase(w);
    count_.fetch_sub(1, std::memory_order_seq_cst);
}

} // namespace clearcoat::backend
