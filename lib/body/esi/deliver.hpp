// The delivery side of ESI: walks through an object's program and says what to do next with its body. No I/O: the
// caller sends, skips, includes. One delivery a page; an include is a request of its own whose answer goes through one
// of the stages in splice.hpp, or is an ESI page again with a delivery of its own.
#pragma once

#include "body/esi/program.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace clearcoat::body::esi {

/// The checksum and length of what a gzip stream decompresses to, put together from its parts.
class gzip_sum {
  public:
    void add(std::uint32_t crc, std::uint64_t size) noexcept;
    void add(const gzip_sum& other) noexcept { add(other.crc_, other.size_); }
    void add_plain(std::span<const std::byte> bytes) noexcept;
    std::uint32_t crc() const noexcept { return crc_; }
    std::uint64_t size() const noexcept { return size_; }

  private:
    std::uint32_t crc_ = 0;
    std::uint64_t size_ = 0;
};

class delivery {
  public:
    /// `program` is what parse_stage::program() gave. A gzipped page included by a gzipped page gets that one's sum as
    /// `parent` and sends no frame of its own; otherwise nullptr.
    explicit delivery(std::string_view program, gzip_sum* parent = nullptr) noexcept
        : reader_(program), parent_(reader_.gzipped() ? parent : nullptr) {}

    struct step {
        enum class action : std::uint8_t {
            send,    // the bytes given (of a gzip frame; valid until the next call)
            text,    // the next `size` bytes of the body: send
            skip,    // the next `size` bytes of the body: leave out
            include, // what.host, what.url; included content that ends up in this gzip stream adds to sum()
            done     // whatever is left of the body is not sent
        } what = action::done;
        std::span<const std::byte> bytes;
        std::uint64_t size = 0;
        instruction include;
    };
    step next() noexcept;

    /// Whether what is sent is a gzip stream: then an include asks for gzip.
    bool gzipped() const noexcept { return reader_.gzipped(); }
    gzip_sum& sum() noexcept { return sum_; }

  private:
    step begin() noexcept;
    step finish() noexcept;

    program_reader reader_;
    gzip_sum* parent_;
    gzip_sum sum_;
    bool begun_ = false;
    bool finished_ = false;
    std::array<std::byte, 13> frame_;
};

} // namespace clearcoat::body::esi
