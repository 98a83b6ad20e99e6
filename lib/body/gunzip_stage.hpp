// Decompresses a body (RFC 1952, one member), or checks it while passing it on unchanged. zlib's state is allocated
// when the stage is made; reset() makes it ready for another body. Owned by one task at a time.
#pragma once

#include "body/gzip_bits.hpp"
#include "body/stage.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace clearcoat::body {

/// zlib's inflate with the positions of block boundaries, which both stages use.
class inflater {
  public:
    /// nullptr when memory is out.
    static std::unique_ptr<inflater> create() noexcept;
    ~inflater();
    inflater(const inflater&) = delete;
    inflater& operator=(const inflater&) = delete;

    struct step {
        std::size_t used;
        std::size_t made;
        enum class result : std::uint8_t { more, ended, failed } what;
    };
    step run(std::span<const std::byte> in, std::span<std::byte> out) noexcept;
    bool ended() const noexcept { return ended_; }
    void reset() noexcept;
    std::uint64_t total_in() const noexcept;
    std::uint64_t total_out() const noexcept;
    /// zlib's words for the last failure, "(null)" when it has none (as the reference prints).
    const char* message() const noexcept;
    /// plain_size is set once ended().
    const gzip_bits& bits() const noexcept { return bits_; }

  private:
    struct state;
    explicit inflater(std::unique_ptr<state> s) noexcept;
    void note_boundary() noexcept;

    std::unique_ptr<state> state_;
    gzip_bits bits_;
    bool ended_ = false;
};

/// Compressed in, plain out. Errors: "Junk after gzip data", "Invalid Gzip data: <zlib's words>", "Gunzip error at the
/// very end" (cut short).
class gunzip_stage final : public stage {
  public:
    static std::unique_ptr<gunzip_stage> create() noexcept;

    stage_step push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept override;
    std::string_view error() const noexcept override { return error_; }
    std::string_view name() const noexcept override { return "gunzip"; }

    void reset() noexcept;
    std::uint64_t total_in() const noexcept { return inflater_->total_in(); }
    std::uint64_t total_out() const noexcept { return inflater_->total_out(); }
    const gzip_bits& bits() const noexcept { return inflater_->bits(); }

  private:
    explicit gunzip_stage(std::unique_ptr<inflater> i) noexcept : inflater_(std::move(i)) {}

    std::unique_ptr<inflater> inflater_;
    std::string_view error_;
    std::array<char, 100> error_text_;
};

/// Compressed in, the same out, refused when it is not one whole gzip stream. Errors as gunzip_stage, "tGunzip failed"
/// for one cut short. bits() are what the object keeps.
class testgunzip_stage final : public stage {
  public:
    static std::unique_ptr<testgunzip_stage> create() noexcept;

    stage_step push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept override;
    /// The check alone, for a body that is received straight to where it is kept. False on error().
    bool check(std::span<const std::byte> in, bool last) noexcept;
    std::string_view error() const noexcept override { return error_; }
    std::string_view name() const noexcept override { return "testgunzip"; }

    void reset() noexcept;
    std::uint64_t total_in() const noexcept { return inflater_->total_in(); }
    std::uint64_t total_out() const noexcept { return inflater_->total_out(); }
    const gzip_bits& bits() const noexcept { return inflater_->bits(); }

  private:
    explicit testgunzip_stage(std::unique_ptr<inflater> i) noexcept : inflater_(std::move(i)) {}

    std::unique_ptr<inflater> inflater_;
    std::string_view error_;
    std::array<char, 100> error_text_;
};

} // namespace clearcoat::body
