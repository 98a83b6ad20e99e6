#include "logread/ring_cursor.hpp"

#include <atomic>
#include <cstring>

namespace clearcoat::logread {
namespace {

namespace layout = shm::layout;

template<class T>
T load(const T& shared, std::memory_order order) noexcept {
    return std::atomic_ref<T>(const_cast<T&>(shared)).load(order);
}

std::optional<shm::record_width> width_of(const layout::head& head) noexcept {
    const std::string_view marker(head.marker, sizeof head.marker);
    for (const shm::record_width width : {shm::record_width::narrow, shm::record_width::wide}) {
        if (marker == layout::head_marker(width)) {
            return width;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<ring_cursor> ring_cursor::open(std::span<const std::byte> memory, start where,
                                             std::function<bool()> writer_lives) {
    if (memory.size() < sizeof(layout::head)) {
        return std::nullopt;
    }
    const auto* head = reinterpret_cast<const layout::head*>(memory.data());
    const std::size_t words = (memory.size() - sizeof *head) / sizeof(std::uint32_t);
    const std::int64_t segment = load(head->segment_words, std::memory_order_acquire);
    const std::optional<shm::record_width> width = width_of(*head);
    if (!width || segment <= 0 || static_cast<std::uint64_t>(segment) > words / layout::segments) {
        return std::nullopt;
    }
    const auto* log = reinterpret_cast<const std::uint32_t*>(memory.data() + sizeof *head);
    const std::size_t size = static_cast<std::size_t>(segment) * layout::segments;
    ring_cursor cursor(head, *width, {log, size}, where == start::head_until_tail, std::move(writer_lives));
    if (!(where == start::tail ? cursor.seek_tail() : cursor.seek_head())) {
        return std::nullopt;
    }
    return cursor;
}

std::uint32_t ring_cursor::segment_number() const noexcept {
    return load(head_->segment_number, std::memory_order_acquire);
}

/// Where a segment's first record is; -1 where it has none or says nonsense.
std::int64_t ring_cursor::segment_offset(std::uint32_t number) const noexcept {
    const std::int64_t offset = load(head_->offsets[number % layout::segments], std::memory_order_relaxed);
    return offset < static_cast<std::int64_t>(log_.size()) ? offset : -1;
}

/// Five segments behind the writer, so that a whole one is left should it go on at once.
bool ring_cursor::seek_head() noexcept {
    number_ = segment_number() - (layout::segments - 3);
    for (unsigned tries = 0; segment_offset(number_) < 0; ++tries, ++number_) {
        if (tries == layout::segments) {
            return false;
        }
    }
    at_ = static_cast<std::size_t>(segment_offset(number_));
    return true;
}

bool ring_cursor::seek_tail() {
    const std::uint32_t began = number_ = segment_number();
    const std::int64_t offset = segment_offset(number_);
    if (offset < 0) {
        return false;
    }
    at_ = static_cast<std::size_t>(offset);
    record_run skipped;
    source_status status = source_status::more;
    while (status == source_status::more && segment_number() - began <= 1) {
        status = next(skipped);
    }
    return status == source_status::idle;
}

source_status ring_cursor::next(record_run& run) {
    while (true) {
        if (distance(number_) >= too_far) {
            return lost();
        }
        const std::uint32_t word = load(log_[at_], std::memory_order_acquire);
        if (word == layout::end_marker) {
            if (!writer_lives_()) {
                return source_status::abandoned;
            }
            return end_at_tail_ ? source_status::eof : source_status::idle;
        }
        if (word != layout::wrap_marker) {
            return take(word, run);
        }
        at_ = 0;
        number_ += (layout::segments - number_ % layout::segments) % layout::segments;
    }
}

source_status ring_cursor::take(std::uint32_t word, record_run& run) {
    const std::size_t room = log_.size() - at_;
    const bool batch = (word & 0xff000000U) == layout::batch_header;
    const unsigned overhead = layout::overhead_of(width_);
    std::size_t begin = at_;
    std::size_t words = 0;
    if (room > overhead) {
        words = batch ? layout::words_for(layout::batch_bytes(&log_[at_])) : layout::size_of(word);
        begin += batch ? overhead : 0;
    }
    // A zero word or a length beyond the ring: we read what the writer is just overwriting.
    if (word == 0 || words == 0 || begin + words >= log_.size()) {
        return lost();
    }
    copy_.assign(log_.begin() + static_cast<std::ptrdiff_t>(begin),
                 log_.begin() + static_cast<std::ptrdiff_t>(begin + words));
    std::atomic_thread_fence(std::memory_order_acquire);
    if (distance(number_) >= too_far || !whole_records(copy_)) {
        return lost();
    }
    run = {copy_, batch, false};
    at_ = begin + words;
    while (at_ / (log_.size() / layout::segments) > number_ % layout::segments) {
        ++number_;
    }
    return source_status::more;
}

} // namespace clearcoat::logread
