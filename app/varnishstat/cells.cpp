#include "cells.hpp"

#include <array>
#include <cmath>

#include <fmt/core.h>

namespace clearcoat::varnishstat {
namespace {

constexpr char nothing[] = "          .  ";

std::string number_text(double value) {
    return fmt::format(" {:12.2f}", value);
}

/// A number that would not fit loses its last digits in groups of three.
std::string count_text(std::uint64_t value) {
    constexpr std::uint64_t largest = 999999999999;
    if (value <= largest) {
        return fmt::format(" {:12}", value);
    }
    while (value > largest) {
        value /= 1000;
    }
    return fmt::format(" {:9}...", value);
}

std::string bytes_text(double value, bool scaled) {
    constexpr std::string_view units = " KMGTPEZY";
    std::size_t unit = 0;
    while (scaled && std::fabs(value) >= 1024 && unit + 1 < units.size()) {
        value /= 1024;
        ++unit;
    }
    return fmt::format(" {:12.2f}{}", value, units[unit]);
}

std::string current_text(const table_row& row, bool scaled) {
    switch (row.source->format) {
    case 'B':
        return scaled && row.current > 1024 ? bytes_text(static_cast<double>(row.current), true)
                                            : count_text(row.current);
    case 'd':
        return scaled ? " " + duration_text(row.current) : count_text(row.current);
    default:
        return count_text(row.current);
    }
}

std::string bitmap_cells(const table_row& row, int width) {
    constexpr int bits = 24;
    std::string text;
    if (width >= column_width) {
        text = fmt::format("   {:010x}", row.current >> bits & 0xffffffffff);
    }
    if (width >= 3 * column_width) {
        text.resize(static_cast<std::size_t>(3 * column_width - bits), ' ');
        for (int bit = bits - 1; bit >= 0; --bit) {
            text += (row.current >> bit & 1) != 0 ? 'V' : '_';
        }
    }
    return text;
}

std::string pad(std::string text) {
    text.resize(static_cast<std::size_t>(column_width), ' ');
    return text;
}

} // namespace

std::string duration_text(std::uint64_t seconds) {
    return fmt::format("{:4}+{:02}:{:02}:{:02}", seconds / 86400, seconds % 86400 / 3600, seconds % 3600 / 60,
                       seconds % 60);
}

std::string heading_cells(int width) {
    constexpr std::array<std::string_view, columns> headings{"CURRENT", "CHANGE",  "AVERAGE",
                                                             "AVG_10",  "AVG_100", "AVG_1000"};
    std::string text;
    for (const std::string_view heading : headings) {
        if (width < column_width) {
            break;
        }
        width -= column_width;
        text += pad(fmt::format(" {:>12}", heading));
    }
    return text;
}

std::string value_cells(const table_row& row, int width, bool scaled) {
    if (row.source->format == 'b') {
        return bitmap_cells(row, width);
    }
    const bool bytes = row.source->format == 'B';
    const auto text_of = [bytes, scaled](double value) {
        return bytes ? bytes_text(value, scaled) : number_text(value);
    };
    const std::array<std::string, columns> cells{
        current_text(row, scaled),
        row.moved ? text_of(row.change) : nothing,
        row.average != 0 ? text_of(row.average) : nothing,
        text_of(row.recent.ten.mean),
        text_of(row.recent.hundred.mean),
        text_of(row.recent.thousand.mean),
    };
    std::string text;
    const int wanted = row.source->format == 'd' ? 1 : columns;
    for (int i = 0; i < wanted && width >= column_width; ++i, width -= column_width) {
        text += pad(cells[static_cast<std::size_t>(i)]);
    }
    return text;
}

} // namespace clearcoat::varnishstat
