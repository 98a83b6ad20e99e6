// The log in shared memory: a ring of records that readers follow without a lock. Any thread writes. A writer takes its
// place with one compare-and-swap and fills it; a mutex is needed only where the ring must be prepared further, once in
// 64 KB, and at segment borders.
//
// Why it is safe: every word from the write position to limit_ (inclusive) already holds the end marker, so a reader
// that comes to the place of an unfinished record stops there, and the word behind a finished one is always the end
// marker or a record. A record becomes visible by its first word, written last with release order.
#pragma once

#include "base/log.hpp"
#include "base/thread_annotations.hpp"
#include "shm/record_layout.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <fmt/core.h>

namespace clearcoat::tables {
class param_block;
struct main_counters;
} // namespace clearcoat::tables

namespace clearcoat::shm {

/// Counts of one write, for the caller's counters.
struct write_tally {
    std::uint32_t contention = 0; // had to wait for another writer
    std::uint32_t cycles = 0;     // began the ring again
};

class log_ring {
  public:
    /// Lays the ring into `memory` (the segment's bytes, 8-byte aligned, at least 64 KB) and marks it as ready.
    /// `params` gives vsl_mask and vsl_reclen; `counters` are the shared MAIN counters. All three outlive the ring.
    log_ring(std::span<std::byte> memory, const tables::param_block& params, tables::main_counters& counters,
             record_width width = record_width::narrow);
    log_ring(const log_ring&) = delete;
    log_ring& operator=(const log_ring&) = delete;

    /// A record of no transaction, visible at once. Any thread; not for hot paths.
    void write_now(log_tag tag, std::string_view text) noexcept;
    template<class... Args>
    void print_now(log_tag tag, fmt::format_string<Args...> format, Args&&... args) noexcept {
        char room[512];
        auto result = fmt::format_to_n(room, sizeof room, format, std::forward<Args>(args)...);
        write_now(tag, {room, result.size < sizeof room ? result.size : sizeof room});
    }

    /// A record of a transaction, visible at once; counted in `counts`, the caller's own. Any thread.
    void write_one(base::vxid_number vxid, vxid_kind kind, log_tag tag, std::string_view text,
                   tables::main_counters& counts) noexcept;

    /// A batch: whole records of one transaction, always given as narrow ones; `vxid` is its number in full. Any
    /// thread.
    write_tally write_batch(std::span<const std::uint32_t> records, base::vxid_number vxid) noexcept;

    const tables::param_block& params() const noexcept { return params_; }
    tables::main_counters& counters() const noexcept { return counters_; }

    /// The most words of narrow records a batch may have, so that a reader never loses a whole segment to one write.
    std::size_t largest_batch() const noexcept { return segment_words_ / (width_ == record_width::wide ? 3 : 2); }

    record_width width() const noexcept { return width_; }

  private:
    // A place in the ring: how often it has wrapped (high half), words from the start (low half). It only grows.
    using place = std::uint64_t;
    static constexpr std::uint32_t offset_of(place p) noexcept { return static_cast<std::uint32_t>(p); }
    static constexpr place wraps_of(place p) noexcept { return p >> 32 << 32; }

    write_tally write_record(base::vxid_number vxid, vxid_kind kind, log_tag tag, std::string_view text) noexcept;
    write_tally write_wide_batch(std::span<const std::uint32_t> records, base::vxid_number vxid) noexcept;
    std::uint32_t* reserve(std::uint32_t words, write_tally& tally) noexcept;
    std::uint32_t* reserve_slowly(std::uint32_t words, write_tally& tally) noexcept EXCLUDES(mutex_);
    void prepare(std::uint32_t from, place wraps) noexcept REQUIRES(mutex_);
    void open_prepared() noexcept REQUIRES(mutex_);
    void advance(place end) noexcept REQUIRES(mutex_);
    void wrap(place at) noexcept REQUIRES(mutex_);
    void put(std::uint32_t* record, std::uint32_t word) noexcept;

    layout::head* head_;
    std::uint32_t* log_;
    std::uint32_t segment_words_;
    std::uint32_t capacity_; // words
    record_width width_;
    const tables::param_block& params_;
    tables::main_counters& counters_;

    alignas(64) std::atomic<place> next_{0};
    alignas(64) std::atomic<place> limit_{0}; // a place may be taken without the mutex if it ends at or before this
    base::mutex mutex_;
    place prepared_ GUARDED_BY(mutex_) = 0; // the limit to come
    std::uint32_t segment_number_ GUARDED_BY(mutex_) = 0;
};

} // namespace clearcoat::shm
