// Stages one behind the other (beresp.filters, resp.filters) that behave like a single stage. Buffers between them come
// from the task's arena, one for each joint, allocated by append().
#pragma once

#include "base/arena.hpp"
#include "body/stage.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace clearcoat::body {

class pipeline final : public stage {
  public:
    static constexpr std::size_t max_stages = 8;

    /// Stages run in the order of append(). `s` outlives the pipeline. `buffer_size` is the room before `s` (not used
    /// for the first). False when memory was out or max_stages are there.
    bool append(stage& s, base::arena& memory, std::size_t buffer_size = 16 * 1024) noexcept;
    bool empty() const noexcept { return count_ == 0; }
    std::size_t size() const noexcept { return count_; }

    /// Without stages the bytes are copied.
    stage_step push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept override;
    /// Of the first stage that failed.
    std::string_view error() const noexcept override;
    std::string_view name() const noexcept override { return "pipeline"; }
    /// How often the stage at a place got something to work on, and how many bytes it made.
    struct tally {
        std::uint64_t calls = 0;
        std::uint64_t made = 0;
    };
    tally tally_of(std::size_t index) const noexcept { return joints_[index].count; }
    /// The stage that failed, or nullptr.
    const stage* failed_stage() const noexcept { return failed_; }

  private:
    struct joint {
        stage* next = nullptr;
        std::span<std::byte> buffer; // before `next`
        std::size_t begin = 0;
        std::size_t end = 0;
        bool ended = false;       // the stage is done
        bool has_backlog = false; // the stage waits for room
        tally count;
    };
    static stage_step copy_through(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept;
    bool run(std::size_t index, std::span<const std::byte>& in, bool last, std::span<std::byte>& out) noexcept;

    std::array<joint, max_stages> joints_;
    std::size_t count_ = 0;
    const stage* failed_ = nullptr;
};

} // namespace clearcoat::body
