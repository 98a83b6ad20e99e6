// What an object keeps besides a body that was read for ESI: a program that says which of the body's bytes to send,
// which to leave out, and where to include what. A flat block of bytes, written once by the parser, read by every
// delivery.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace clearcoat::body::esi {

struct instruction {
    enum class kind : std::uint8_t { end, text, skip, include } what = kind::end;

    // text and skip: how many bytes of the stored body.
    std::uint64_t size = 0;
    // text of a gzipped body: what those bytes decompress to.
    std::uint64_t plain_size = 0;
    std::uint32_t plain_crc = 0;
    // include
    std::string_view host; // empty: the page's own
    std::string_view url;  // starts with a slash
    bool continue_on_error = false;
};

/// Collects a program while the body is parsed. Its memory is the heap's: programs of pages with many parts outgrow a
/// workspace.
class program_writer {
  public:
    /// `gzipped`: the stored body is one gzip stream, cut so that each text can be decompressed without what is
    /// skipped.
    explicit program_writer(bool gzipped) : bytes_(1, gzipped ? '\1' : '\0') {}

    void text(std::uint64_t size, std::uint64_t plain_size, std::uint32_t plain_crc);
    void skip(std::uint64_t size);
    void include(std::string_view host, std::string_view url, bool continue_on_error);
    std::string_view bytes() const noexcept { return bytes_; }

  private:
    void number(std::uint64_t value);
    void string(std::string_view value);

    std::string bytes_;
};

/// Reads a program that program_writer wrote; views point into it.
class program_reader {
  public:
    explicit program_reader(std::string_view bytes) noexcept : rest_(bytes.substr(1)), gzipped_(bytes.front() != 0) {}

    bool gzipped() const noexcept { return gzipped_; }
    instruction next() noexcept;

  private:
    std::uint64_t number() noexcept;
    std::string_view string() noexcept;

    std::string_view rest_;
    bool gzipped_;
};

} // namespace clearcoat::body::esi
