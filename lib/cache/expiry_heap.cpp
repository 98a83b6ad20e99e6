#include "cache/expiry_heap.hpp"

namespace clearcoat::cache {

void expiry_heap::put(std::size_t at, entry e) noexcept {
    heap_[at] = e;
    e.what->heap_slot_ = static_cast<std::uint32_t>(at + 1);
}

void expiry_heap::sift_up(std::size_t at, entry e) noexcept {
    while (at != 0) {
        const std::size_t parent = (at - 1) / 2;
        if (heap_[parent].when <= e.when) {
            break;
        }
        put(at, heap_[parent]);
        at = parent;
    }
    put(at, e);
}

void expiry_heap::sift_down(std::size_t at, entry e) noexcept {
    for (std::size_t child = 2 * at + 1; child < heap_.size(); child = 2 * at + 1) {
        if (child + 1 < heap_.size() && heap_[child + 1].when < heap_[child].when) {
            ++child;
        }
        if (e.when <= heap_[child].when) {
            break;
        }
        put(at, heap_[child]);
        at = child;
    }
    put(at, e);
}

void expiry_heap::settle(std::size_t at, entry e) noexcept {
    if (at != 0 && e.when < heap_[(at - 1) / 2].when) {
        sift_up(at, e);
    } else {
        sift_down(at, e);
    }
}

void expiry_heap::insert(object& o, double when) {
    heap_.push_back({when, &o});
    sift_up(heap_.size() - 1, {when, &o});
}

void expiry_heap::erase(object& o) noexcept {
    if (o.heap_slot_ == 0) {
        return;
    }
    const std::size_t at = o.heap_slot_ - 1;
    o.heap_slot_ = 0;
    const entry moved = heap_.back();
    heap_.pop_back();
    if (at != heap_.size()) {
        settle(at, moved);
    }
}

void expiry_heap::move(object& o, double when) noexcept {
    settle(o.heap_slot_ - 1, {when, &o});
}

} // namespace clearcoat::cache
