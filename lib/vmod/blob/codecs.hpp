// Binary-to-text encodings of module blob. Pure functions; decoders read texts given in parts.
#pragma once

#include "vcl/types.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace clearcoat::vmod::blobs {

enum class scheme : std::uint8_t { identity, base64, base64url, base64urlnopad, base64cf, hex, url };
constexpr std::size_t scheme_count = 7;

/// By the word of the ENUM.
scheme scheme_named(std::string_view word) noexcept;

/// Whether hex digits are part of it, so that their case has a meaning.
constexpr bool writes_hex(scheme s) noexcept {
    return s == scheme::hex || s == scheme::url;
}

/// Bytes that decoding `size` characters gives at most, and characters that encoding `size` bytes gives at most.
std::size_t decoded_limit(scheme s, std::size_t size) noexcept;
std::size_t encoded_limit(scheme s, std::size_t size) noexcept;

/// Decodes the first `length` characters (all when not positive) into `out`, which has the limit's room. The number of
/// bytes; std::nullopt when the text is not legal.
std::optional<std::size_t> decode(scheme s, const vcl::strand_list& text, std::int64_t length,
                                  std::span<std::byte> out) noexcept;

/// Encodes into `out`, which has the limit's room; the number of characters.
std::size_t encode(scheme s, bool upper, std::span<const std::byte> bytes, std::span<char> out) noexcept;

} // namespace clearcoat::vmod::blobs
