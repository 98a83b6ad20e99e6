// Compresses a body (RFC 1952). zlib's state is allocated when the stage is made, nothing afterwards; reset() makes it
// ready for another body, so a loop can keep one. Owned by one task at a time.
#pragma once

#include "body/gzip_bits.hpp"
#include "body/stage.hpp"

#include <cstdint>
#include <memory>

namespace clearcoat::body {

class gzip_stage final : public stage {
  public:
    /// The parameters gzip_level (0 to 9) and gzip_memlevel (1 to 9). nullptr when memory is out.
    static std::unique_ptr<gzip_stage> create(int level, int memory_level) noexcept;
    ~gzip_stage() override;

    stage_step push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept override;
    std::string_view error() const noexcept override { return error_; }
    std::string_view name() const noexcept override { return "gzip"; }

    /// Ends a deflate block so that what was pushed so far can be decompressed by itself, with a new dictionary (what
    /// ESI needs between its parts). Repeat while the state is want_room.
    stage_step flush_full(std::span<std::byte> out) noexcept;
    /// Ends a deflate block at a byte boundary, keeping the dictionary. Repeat while the state is want_room.
    stage_step flush_aligned(std::span<std::byte> out) noexcept;

    void reset() noexcept;
    std::uint64_t total_in() const noexcept;
    std::uint64_t total_out() const noexcept;
    /// Valid when done. plain_size is total_in().
    const gzip_bits& bits() const noexcept { return bits_; }

  private:
    struct state;
    explicit gzip_stage(std::unique_ptr<state> s) noexcept;
    stage_step run(std::span<const std::byte> in, int flush, std::span<std::byte> out) noexcept;
    void observe(std::span<const std::byte> written) noexcept;

    std::unique_ptr<state> state_;
    std::string_view error_;
    gzip_bits bits_;
    bool backlog_ = false; // zlib holds output for which there was no room
};

} // namespace clearcoat::body
