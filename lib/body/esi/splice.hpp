// How included content becomes part of a gzip stream that is under way: plain text as stored blocks, a gzip stream by
// cutting off its frame and clearing the mark of its last block, without decompressing either.
#pragma once

#include "body/esi/deliver.hpp"
#include "body/gzip_bits.hpp"
#include "body/stage.hpp"

#include <array>

namespace clearcoat::body::esi {

/// Plain in, stored deflate blocks out. Wants at least 6 bytes of room a call.
class stored_block_stage final : public stage {
  public:
    explicit stored_block_stage(gzip_sum& sum) noexcept : sum_(&sum) {}

    stage_step push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept override;
    std::string_view error() const noexcept override { return {}; }
    std::string_view name() const noexcept override { return "esi_stored"; }

  private:
    gzip_sum* sum_;
};

/// A complete gzip stream in, its deflate blocks out, ending at a byte boundary. Wants at least 6 bytes of room a call.
class gzip_splice_stage final : public stage {
  public:
    /// `bits` and `size` are those of the included object.
    gzip_splice_stage(const gzip_bits& bits, std::uint64_t size, gzip_sum& sum) noexcept;

    stage_step push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept override;
    /// "ESI include ended early" when the stream was shorter than announced.
    std::string_view error() const noexcept override { return error_; }
    std::string_view name() const noexcept override { return "esi_splice"; }

  private:
    /// From where on bytes are treated alike: the frame's head, blocks, the byte with the mark, blocks, the last byte,
    /// the rest.
    struct part {
        std::size_t used;
        std::size_t made;
    };
    part run(std::span<const std::byte> in, std::span<std::byte> out) noexcept;
    part keep(std::span<const std::byte> in, std::span<std::byte> out, std::uint64_t until) const noexcept;
    part pad(std::byte last, std::span<std::byte> out) const noexcept;
    part take_trailer(std::span<const std::byte> in) noexcept;

    gzip_bits bits_;
    std::uint64_t size_;
    gzip_sum* sum_;
    std::uint64_t at_ = 0;
    std::array<std::byte, 8> trailer_{};
    std::string_view error_;
};

} // namespace clearcoat::body::esi
