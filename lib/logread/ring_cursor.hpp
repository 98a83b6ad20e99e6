// Follows the ring in shared memory. The writer never waits for readers, so a reader that falls back more than six of
// the eight segments is lost (overrun). The memory is another process's: places are checked before they are followed,
// records are copied before they are used, and what was overwritten meanwhile is never handed out. One thread.
#pragma once

#include "logread/source.hpp"

#include <cstddef>
#include <functional>
#include <optional>

namespace clearcoat::logread {

class ring_cursor : public record_source {
  public:
    enum class start { tail, head, head_until_tail };

    /// `memory` is the segment of class "Log"; `writer_lives` tells whether it is still the current one. Both outlive
    /// the cursor. Empty when it is no log, or the writer runs away while the tail is sought.
    static std::optional<ring_cursor> open(std::span<const std::byte> memory, start where,
                                           std::function<bool()> writer_lives);

    source_status next(record_run& run) override;
    shm::record_width width() const noexcept override { return width_; }

  private:
    // A position is given up where the writer is that many segments ahead.
    static constexpr std::uint32_t too_far = shm::layout::segments - 2;

    ring_cursor(const shm::layout::head* head, shm::record_width width, std::span<const std::uint32_t> log,
                bool end_at_tail, std::function<bool()> writer_lives)
        : head_(head), width_(width), log_(log), end_at_tail_(end_at_tail), writer_lives_(std::move(writer_lives)) {}

    bool seek_head() noexcept;
    bool seek_tail();
    std::uint32_t segment_number() const noexcept;
    std::int64_t segment_offset(std::uint32_t number) const noexcept;
    std::uint32_t distance(std::uint32_t number) const noexcept { return segment_number() - number; }
    source_status take(std::uint32_t word, record_run& run);
    source_status lost() const { return writer_lives_() ? source_status::overrun : source_status::abandoned; }

    const shm::layout::head* head_;
    shm::record_width width_;
    std::span<const std::uint32_t> log_;
    bool end_at_tail_;
    std::function<bool()> writer_lives_;
    std::size_t at_ = 0;              // words
    std::uint32_t number_ = 0;        // the segment that at_ is in, counted as the writer counts
    std::vector<std::uint32_t> copy_; // of what was handed out last
};

} // namespace clearcoat::logread
