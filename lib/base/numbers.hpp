// Numbers as people write them in VCL, headers and parameters: decimals of at most 15 digits before the point (as
// RFC 8941 has them, with blanks allowed around), durations and byte counts with their units. Locale plays no part.
#pragma once

#include "base/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace clearcoat::base {

struct scanned_number {
    double value = 0;
    std::size_t size = 0;        // bytes taken, blanks included
    const char* error = nullptr; // "Invalid number", "Too many digits"
};

/// The number `text` begins with. `strict`: digits on both sides of a point, at most three behind it; otherwise ".5"
/// and "5." will do and digits behind the third are skipped.
scanned_number scan_number(std::string_view text, bool strict) noexcept;

/// A whole text that is one number (not strict); std::nullopt otherwise.
std::optional<double> parse_number(std::string_view text) noexcept;

/// Scales `number` by the unit that is all of `unit` but blanks: ms, s, m, h, d, w, y.
std::optional<seconds> scale_duration(double number, std::string_view unit) noexcept;

/// "1.5 h"; the unit is a must.
std::optional<seconds> parse_duration(std::string_view text) noexcept;

struct parsed_bytes {
    std::uint64_t value = 0;
    const char* error = nullptr;
};

/// "10k", "1.5MB", "100": k, m, g, t, p stand for powers of 1024, b for none. Never negative; what is above all numbers
/// becomes the highest.
parsed_bytes parse_bytes(std::string_view text) noexcept;

} // namespace clearcoat::base
