#include "cache/body_cursor.hpp"

#include "base/panic.hpp"
#include "cache/body_segment.hpp"
#include "cache/storage/storage.hpp"

#include <algorithm>

namespace clearcoat::cache {

body_cursor::body_cursor(object_ref o, mode how) noexcept : object_(std::move(o)), mode_(how) {
    CLEARCOAT_ASSERT(how == mode::keep || object_->has(object_flag::is_private));
    // Counted first, looked at second: a writer that finishes in between then sees the count, or this sees `finished`.
    object_->streamers_.fetch_add(1, std::memory_order_acq_rel);
    counted_ = true;
    if (object_->state() >= object_state::finished) {
        object_->streamers_.fetch_sub(1, std::memory_order_acq_rel);
        counted_ = false;
    }
}

body_cursor::~body_cursor() {
    if (counted_) {
        const bool over = object_->state() >= object_state::finished;
        if (object_->streamers_.fetch_sub(1, std::memory_order_acq_rel) == 1 && over) {
            object_->free_retired();
        }
    }
}

// Makes segment_ the one that holds position_; false when that is not there yet.
bool body_cursor::settle() noexcept {
    if (segment_ == nullptr) {
        segment_ = object_->first_.load(std::memory_order_acquire);
    }
    while (segment_ != nullptr && position_ >= segment_->end()) {
        body_segment* next = segment_->next.load(std::memory_order_acquire);
        if (next == nullptr) {
            return false;
        }
        leave(segment_);
        segment_ = next;
    }
    return segment_ != nullptr;
}

void body_cursor::leave(body_segment* segment) noexcept {
    if (mode_ == mode::consume) {
        object_->first_.store(segment->next.load(std::memory_order_relaxed), std::memory_order_relaxed);
        object_->storage_->free(reinterpret_cast<char*>(segment), segment->block_size);
    }
}

cursor_read body_cursor::peek(std::span<std::span<const char>> out, waiter* w, std::uint64_t limit) noexcept {
    cursor_read result;
    object_progress seen = object_->progress();
    while (seen.length <= position_) {
        if (seen.state >= object_state::finished) {
            result.status = seen.state == object_state::failed ? cursor_status::failed : cursor_status::end;
            return result;
        }
        if (w == nullptr || object_->watch(*w, seen)) {
            return result;
        }
        seen = object_->progress();
    }
    CLEARCOAT_ASSERT(settle());
    const std::uint64_t stop = seen.length - position_ < limit ? seen.length : position_ + limit;
    std::uint64_t at = position_;
    for (body_segment* s = segment_; at < stop && result.count < out.size();) {
        const std::size_t n = std::min(stop, s->end()) - at;
        out[result.count++] = {s->data() + (at - s->offset), n};
        at += n;
        s = at < stop ? s->next.load(std::memory_order_acquire) : s;
    }
    result.status = cursor_status::data;
    result.bytes = at - position_;
    result.last = seen.state == object_state::finished && at == seen.length;
    return result;
}

void body_cursor::advance(std::uint64_t bytes) noexcept {
    position_ += bytes;
    CLEARCOAT_ASSERT(position_ <= object_->length());
    if (mode_ == mode::consume) {
        settle();
        object_->note_consumed(position_);
    }
}

bool body_cursor::skip_to(std::uint64_t offset) noexcept {
    CLEARCOAT_ASSERT(offset >= position_);
    position_ = std::min(offset, object_->length());
    if (mode_ == mode::consume) {
        settle();
        object_->note_consumed(position_);
    }
    return position_ == offset;
}

} // namespace clearcoat::cache
