// The chunked transfer coding (RFC 9112 §7.1): a decoder that takes bytes as they arrive and hands out the data as
// views into them, and chunk heads for sending. As strict as the reference after its security fixes: a chunk's data is
// followed by a line end at once, only blanks may surround the size, CR only before LF. Chunk extensions are refused
// and trailers too, as in the reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace clearcoat::http::h1 {

enum class chunk_state : std::uint8_t { more, done, failed };

class chunk_decoder {
  public:
    struct step {
        std::size_t used = 0;  // bytes of the input taken, framing and data
        std::string_view data; // a part of the input; may be empty
        chunk_state state = chunk_state::more;
    };

    /// Takes bytes up to the end of the first run of data, the end of the body, a fault, or the end of `in`. Call again
    /// with the rest while state is more and the rest is not empty. After done, the bytes not used belong to the next
    /// message.
    step feed(std::string_view in) noexcept;

    /// Bytes of data of the current chunk that must still come: the caller may receive up to so many straight to where
    /// they are wanted, and account for them with skip_data(). 0 when framing comes next.
    std::uint64_t expected_data() const noexcept { return where_ == place::data ? left_ : 0; }
    void skip_data(std::uint64_t count) noexcept;

    bool done() const noexcept { return where_ == place::done; }
    /// Why it failed, in the words of the reference's FetchError record; empty before.
    std::string_view error() const noexcept { return error_; }
    /// The words for a stream that ended here, before done().
    std::string_view error_at_end() const noexcept;
    void reset() noexcept { *this = chunk_decoder(); }

  private:
    enum class place : std::uint8_t {
        before_size,
        size,
        after_size,
        size_lf,
        data,
        data_end,
        data_lf,
        end,
        end_lf,
        done,
        failed
    };

    bool take_framing(unsigned char c) noexcept;
    bool take_digit(unsigned char c) noexcept;
    bool take_line_end(unsigned char c) noexcept;
    bool fail(std::string_view why) noexcept;
    bool size_complete() noexcept;

    std::uint64_t left_ = 0;
    std::string_view error_;
    std::uint8_t digits_ = 0; // significant ones
    place where_ = place::before_size;
};

/// What ends a chunked body.
constexpr std::string_view last_chunk = "0\r\n\r\n";
/// Room for chunk_head().
constexpr std::size_t chunk_head_size = 18;
/// "<hex>\r\n" for a chunk of `size` bytes, size > 0, written to `room`. The data is to be followed by CR LF.
std::string_view chunk_head(std::uint64_t size, std::span<char, chunk_head_size> room) noexcept;

} // namespace clearcoat::http::h1
