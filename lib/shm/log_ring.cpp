#include "shm/log_ring.hpp"

#include "base/panic.hpp"
#include "tables/counters.hpp"
#include "tables/param_block.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace clearcoat::shm {
namespace {

// How far beyond the write position the ring is prepared at a time.
constexpr std::uint32_t prepare_words = 16 * 1024;

/// Plain std::fill() writes word by word at -O2; a block of known size is written with vectors.
void fill_with_end_markers(std::uint32_t* from, std::uint32_t* to) noexcept {
    constexpr std::ptrdiff_t block = 64;
    for (; to - from >= block; from += block) {
        for (std::ptrdiff_t i = 0; i < block; ++i) {
            from[i] = layout::end_marker;
        }
    }
    std::fill(from, to, layout::end_marker);
}

} // namespace

log_ring::log_ring(std::span<std::byte> memory, const tables::param_block& params, tables::main_counters& counters,
                   record_width width)
    : width_(width), params_(params), counters_(counters) {
    CLEARCOAT_ASSERT(memory.size() >= 64 * 1024);
    head_ = reinterpret_cast<layout::head*>(memory.data());
    log_ = reinterpret_cast<std::uint32_t*>(memory.data() + sizeof(layout::head));
    std::size_t words = (memory.size() - sizeof(layout::head)) / sizeof(std::uint32_t) / layout::segments;
    CLEARCOAT_ASSERT(words * layout::segments < std::numeric_limits<std::uint32_t>::max());
    segment_words_ = static_cast<std::uint32_t>(words);
    capacity_ = segment_words_ * layout::segments;

    std::memset(static_cast<void*>(head_), 0, sizeof *head_);
    head_->segment_words = segment_words_;
    std::fill(std::begin(head_->offsets) + 1, std::end(head_->offsets), -1);
    base::lock_guard lock(mutex_);
    // The number wraps at the first wrap of the ring, so that a reader that mistakes it shows it at once.
    segment_number_ = std::numeric_limits<std::uint32_t>::max() - (layout::segments - 1);
    head_->segment_number = segment_number_;
    prepare(0, 0);
    open_prepared();
    std::atomic_thread_fence(std::memory_order_release);
    std::memcpy(head_->marker, layout::head_marker(width_).data(), sizeof head_->marker);
}

void log_ring::put(std::uint32_t* record, std::uint32_t word) noexcept {
    std::atomic_ref<std::uint32_t>(*record).store(word, std::memory_order_release);
}

void log_ring::prepare(std::uint32_t from, place wraps) noexcept {
    // A place may not be taken beyond the segment's last word without the mutex: the crossing must be recorded.
    std::uint32_t border = (from / segment_words_ + 1) * segment_words_ - 1;
    std::uint32_t until = std::min(from + prepare_words, border);
    fill_with_end_markers(log_ + from, log_ + until + 1);
    prepared_ = wraps | until;
}

void log_ring::open_prepared() noexcept {
    limit_.store(prepared_, std::memory_order_release);
}

std::uint32_t* log_ring::reserve(std::uint32_t words, write_tally& tally) noexcept {
    place at = next_.load(std::memory_order_relaxed);
    while (at + words <= limit_.load(std::memory_order_acquire)) {
        if (next_.compare_exchange_weak(at, at + words, std::memory_order_relaxed)) {
            return log_ + offset_of(at);
        }
        ++tally.contention;
    }
    return reserve_slowly(words, tally);
}

std::uint32_t* log_ring::reserve_slowly(std::uint32_t words, write_tally& tally) noexcept {
    if (!mutex_.try_lock()) {
        ++tally.contention;
        mutex_.lock();
    }
    std::uint32_t* record = nullptr;
    while (record == nullptr) {
        place at = next_.load(std::memory_order_relaxed);
        std::uint32_t begin = offset_of(at);
        if (at + words <= limit_.load(std::memory_order_relaxed)) {
            // Another writer has prepared it meanwhile.
            if (next_.compare_exchange_weak(at, at + words, std::memory_order_relaxed)) {
                record = log_ + begin;
            }
        } else if (std::uint64_t{begin} + words >= capacity_) {
            // Beyond the limit nobody else can move `next_`: taking all up to the end keeps others out of the wrap.
            if (next_.compare_exchange_weak(at, wraps_of(at) | capacity_, std::memory_order_relaxed)) {
                wrap(at);
                ++tally.cycles;
            }
        } else if (next_.compare_exchange_weak(at, at + words, std::memory_order_relaxed)) {
            advance(at + words);
            record = log_ + begin;
        }
    }
    mutex_.unlock();
    return record;
}

void log_ring::advance(place end) noexcept {
    // `end` is beyond the limit, so no other writer goes on from there before the limit moves.
    prepare(offset_of(end), wraps_of(end));
    std::uint32_t segment = offset_of(end) / segment_words_;
    if (segment > segment_number_ % layout::segments) {
        while (segment > segment_number_ % layout::segments) {
            ++segment_number_;
            std::atomic_ref<std::int64_t>(head_->offsets[segment_number_ % layout::segments])
                .store(offset_of(end), std::memory_order_relaxed);
        }
        std::atomic_ref<std::uint32_t>(head_->segment_number).store(segment_number_, std::memory_order_release);
    }
    open_prepared();
}

void log_ring::wrap(place at) noexcept {
    place start = wraps_of(at) + (place{1} << 32);
    prepare(0, start);
    std::atomic_ref<std::int64_t>(head_->offsets[0]).store(0, std::memory_order_relaxed);
    segment_number_ += layout::segments - segment_number_ % layout::segments;
    std::atomic_ref<std::uint32_t>(head_->segment_number).store(segment_number_, std::memory_order_release);
    // Only now may a reader be sent to the start: it compares its own count with the segment's number.
    put(log_ + offset_of(at), layout::wrap_marker);
    next_.store(start, std::memory_order_relaxed);
    open_prepared();
}

write_tally log_ring::write_batch(std::span<const std::uint32_t> records, base::vxid_number vxid) noexcept {
    if (width_ == record_width::wide) {
        return write_wide_batch(records, vxid);
    }
    write_tally tally;
    std::uint32_t* batch = reserve(layout::overhead + static_cast<std::uint32_t>(records.size()), tally);
    batch[1] = static_cast<std::uint32_t>(records.size_bytes());
    std::memcpy(batch + layout::overhead, records.data(), records.size_bytes());
    put(batch, layout::batch_header);
    return tally;
}

// Tasks collect narrow records whatever the layout: they are copied to the ring anyway, and the common case stays as it
// is.
write_tally log_ring::write_wide_batch(std::span<const std::uint32_t> records, base::vxid_number vxid) noexcept {
    std::uint32_t size = 0;
    for (std::size_t at = 0; at < records.size(); at += layout::size_of(records[at])) {
        if (layout::wide_numbers[records[at] >> 24] != 0) {
            size += layout::size_of(records[at]) + 1;
        }
    }
    write_tally tally;
    std::uint32_t* batch = reserve(layout::wide_overhead + size, tally);
    std::uint32_t* to = batch + layout::wide_overhead;
    for (std::size_t at = 0; at < records.size(); at += layout::size_of(records[at])) {
        const std::uint32_t* record = &records[at];
        const std::uint32_t bytes = layout::length_of(record);
        const layout::record_head head = layout::make_head(record_width::wide, static_cast<log_tag>(record[0] >> 24),
                                                           bytes, vxid, layout::kind_of(record));
        if (head.count != 0) {
            std::copy_n(head.words, layout::wide_overhead, to);
            to = std::copy_n(record + layout::overhead, layout::words_for(bytes), to + layout::wide_overhead);
        }
    }
    batch[1] = size * static_cast<std::uint32_t>(sizeof *batch);
    batch[2] = 0;
    put(batch, layout::batch_header);
    return tally;
}

write_tally log_ring::write_record(base::vxid_number vxid, vxid_kind kind, log_tag tag,
                                   std::string_view text) noexcept {
    std::uint32_t length = static_cast<std::uint32_t>(
        std::min<std::size_t>(text.size(), std::max<std::uint32_t>(params_.vsl_reclen(), 16) - 1));
    write_tally tally;
    const layout::record_head head = layout::make_head(width_, tag, length + 1, vxid, kind);
    if (head.count == 0) {
        return tally;
    }
    std::uint32_t* record = reserve(head.count + layout::words_for(length + 1), tally);
    std::copy(head.words + 1, head.words + head.count, record + 1);
    char* to = reinterpret_cast<char*>(record + head.count);
    std::memcpy(to, text.data(), length);
    to[length] = '\0';
    put(record, head.words[0]);
    return tally;
}

void log_ring::write_one(base::vxid_number vxid, vxid_kind kind, log_tag tag, std::string_view text,
                         tables::main_counters& counts) noexcept {
    if (params_.masked(tag)) {
        return;
    }
    const write_tally tally = write_record(vxid, kind, tag, text);
    ++counts.shm_records;
    ++counts.shm_writes;
    counts.shm_cont += tally.contention;
    counts.shm_cycles += tally.cycles;
}

void log_ring::write_now(log_tag tag, std::string_view text) noexcept {
    if (params_.masked(tag)) {
        return;
    }
    const write_tally tally = write_record(0, vxid_kind::none, tag, text);
    tables::bump(counters_.shm_records);
    tables::bump(counters_.shm_writes);
    if (tally.contention + tally.cycles != 0) {
        tables::bump(counters_.shm_cont, tally.contention);
        tables::bump(counters_.shm_cycles, tally.cycles);
    }
}

} // namespace clearcoat::shm
