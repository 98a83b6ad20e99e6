// Dates as texts: the three forms of RFC 9110 §5.6.7 and ISO 8601 in, the preferred form out. A leap second counts as
// the second before it. Thread-safe, independent of time zone and locale.
#pragma once

#include "base/clock.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace clearcoat::base {

/// Seconds since the epoch; 0 when `text` is no date. Spaces around it are accepted, a wrong weekday is not.
seconds parse_date(std::string_view text) noexcept;

/// The length of "Sun, 06 Nov 1994 08:49:37 GMT".
constexpr std::size_t date_size = 29;
/// Writes that form, rounding down to whole seconds. Empty for years outside 0 to 9999.
std::string_view format_date(seconds when, std::span<char, date_size> room) noexcept;

} // namespace clearcoat::base
