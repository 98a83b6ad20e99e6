// How varnishstat's screen writes the values of a row, by their format: a text for each column that fits.
#pragma once

#include "table.hpp"

#include <string>

namespace clearcoat::varnishstat {

inline constexpr int columns = 6;
inline constexpr int column_width = 14;

/// The headings of the columns: CURRENT, CHANGE, AVERAGE, AVG_10, AVG_100, AVG_1000.
std::string heading_cells(int width);
/// The values, in at most `width` cells. `scaled`: bytes with a unit, durations as days and hours.
std::string value_cells(const table_row& row, int width, bool scaled);
/// "   0+01:02:03"
std::string duration_text(std::uint64_t seconds);

} // namespace clearcoat::varnishstat
