// The 32-bit hash that places keys and backends: the last four bytes of SHA-256 over the text, the least significant
// first. Caches that must agree on a backend agree because of it, the reference included.
#pragma once

#include "base/sha256.hpp"
#include "vcl/types.hpp"

#include <cstdint>
#include <initializer_list>

namespace clearcoat::vmod::directors {

inline std::uint32_t hash32(const vcl::strand_list& parts) noexcept {
    base::sha256 hash;
    for (std::size_t i = 0; i < parts.count; ++i) {
        hash.update(parts.parts[i]);
    }
    const base::digest d = hash.finish();
    return std::uint32_t(d[28]) | std::uint32_t(d[29]) << 8 | std::uint32_t(d[30]) << 16 | std::uint32_t(d[31]) << 24;
}

inline std::uint32_t hash32(std::initializer_list<std::string_view> parts) noexcept {
    return hash32(vcl::strand_list{parts.begin(), parts.size()});
}

} // namespace clearcoat::vmod::directors
