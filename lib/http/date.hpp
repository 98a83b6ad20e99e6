// Dates of HTTP: the three forms of RFC 9110 §5.6.7 and ISO 8601 in, the preferred form out. Leap seconds count as the
// second before them. Thread-safe, independent of time zone and locale.
#pragma once

#include "base/clock.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace clearcoat::http {

/// Seconds since the epoch; 0 when `text` is no date. Blanks (spaces) around it are accepted, a wrong weekday is not.
base::seconds parse_date(std::string_view text) noexcept;

/// The length of "Sun, 06 Nov 1994 08:49:37 GMT".
constexpr std::size_t date_size = 29;
/// Writes that form, rounding down to whole seconds. Empty for years outside 0 to 9999.
std::string_view format_date(base::seconds when, std::span<char, date_size> room) noexcept;

} // namespace clearcoat::http
