// How VCL's values look as strings.
#pragma once

#include "base/ip_address.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace clearcoat::vcl {

/// What an INT and a REAL may be at most to become a string (RFC 8941 §3.3.1, §3.3.2).
constexpr std::int64_t largest_integer = 999'999'999'999'999;
constexpr double largest_real = 999'999'999'999.999;

/// The numeric form; its size. `into` has room for 46 bytes.
std::size_t format_ip(const base::ip_address& address, char* into) noexcept;

/// ":BASE64:" with a zero byte behind; `into` has room for it.
void format_blob(std::span<const std::byte> bytes, char* into) noexcept;

} // namespace clearcoat::vcl
