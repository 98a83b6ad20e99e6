// Base64 as BLOB literals use it (RFC 8941 §3.3.5).
#pragma once

#include "base/ascii.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace clearcoat::vcl::syntax {

constexpr bool is_base64_char(char c) noexcept {
    return base::is_alnum(c) || c == '+' || c == '/';
}

constexpr std::uint32_t base64_value(char c) noexcept {
    if (c >= 'A' && c <= 'Z') {
        return static_cast<std::uint32_t>(c - 'A');
    }
    if (c >= 'a' && c <= 'z') {
        return static_cast<std::uint32_t>(c - 'a' + 26);
    }
    if (c >= '0' && c <= '9') {
        return static_cast<std::uint32_t>(c - '0' + 52);
    }
    return c == '+' ? 62 : 63;
}

/// The bytes of a text of base64 characters and padding, whose length is a multiple of 4.
inline std::vector<std::byte> decode_base64(std::string_view text) {
    std::vector<std::byte> out;
    std::uint32_t bits = 0;
    int count = 0;
    for (char c : text) {
        if (c == '=') {
            break;
        }
        bits = bits << 6 | base64_value(c);
        count += 6;
        if (count >= 8) {
            count -= 8;
            out.push_back(static_cast<std::byte>(bits >> count & 0xff));
        }
    }
    return out;
}

} // namespace clearcoat::vcl::syntax
