// The slice of a body that a range request gets: given the body's pieces in order, tells which part of each to send,
// without copying. Value type of one delivery.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace clearcoat::body {

class range_window {
  public:
    /// Everything.
    range_window() noexcept = default;
    /// The bytes from `low` to `high`, both included.
    range_window(std::uint64_t low, std::uint64_t high) noexcept : low_(low), end_(high + 1) {}

    /// The part of the body's next `piece` that is to be sent; may be empty.
    std::span<const std::byte> take(std::span<const std::byte> piece) noexcept {
        std::uint64_t begin = at_;
        at_ += piece.size();
        std::uint64_t from = low_ > begin ? low_ : begin;
        std::uint64_t to = end_ < at_ ? end_ : at_;
        if (from >= to) {
            return {};
        }
        return piece.subspan(static_cast<std::size_t>(from - begin), static_cast<std::size_t>(to - from));
    }

    /// Where a reader that can seek may begin: skip_to() instead of pushing what lies before.
    std::uint64_t low() const noexcept { return low_; }
    void skip_to(std::uint64_t offset) noexcept { at_ = offset; }
    /// Nothing of what follows is wanted.
    bool complete() const noexcept { return at_ >= end_; }

  private:
    std::uint64_t low_ = 0;
    std::uint64_t end_ = UINT64_MAX;
    std::uint64_t at_ = 0;
};

} // namespace clearcoat::body
