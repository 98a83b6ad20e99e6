#include "base/numbers.hpp"

#include "base/ascii.hpp"

#include <cmath>
#include <limits>

namespace clearcoat::base {

namespace {

constexpr const char* bad_number = "Invalid number";
constexpr const char* long_number = "Too many digits";
constexpr const char* bad_unit = "Unknown BYTES unit of measurement ([KMGTP][B])";
constexpr const char* split_byte = "Fractional BYTES not allowed";
constexpr double decimal_limit = 999999999999.999;

void skip_blanks(std::string_view& text) noexcept {
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
}

bool starts_with_digit(std::string_view text) noexcept {
    return !text.empty() && is_digit(text.front());
}

/// The digits before the point; the error of the text so far.
const char* scan_whole(std::string_view& rest, double& whole) noexcept {
    std::int64_t value = 0;
    int digits = 0;
    for (; starts_with_digit(rest); rest.remove_prefix(1)) {
        if (++digits > 15) {
            return long_number;
        }
        value = value * 10 + (rest.front() - '0');
    }
    whole = static_cast<double>(value);
    if (digits == 0) {
        return bad_number;
    }
    skip_blanks(rest);
    return nullptr;
}

/// The digits behind the point.
const char* scan_fraction(std::string_view& rest, double& value, bool strict) noexcept {
    double scale = 1;
    int digits = 0;
    for (; digits < 3 && starts_with_digit(rest); ++digits) {
        scale *= .1;
        value += scale * (rest.front() - '0');
        rest.remove_prefix(1);
    }
    if (strict && digits == 0) {
        return bad_number;
    }
    if (strict && starts_with_digit(rest)) {
        return long_number;
    }
    while (starts_with_digit(rest)) {
        rest.remove_prefix(1);
    }
    skip_blanks(rest);
    return nullptr;
}

double power_of_unit(char c) noexcept {
    switch (to_lower(c)) {
    case 'k':
        return 0x1p10;
    case 'm':
        return 0x1p20;
    case 'g':
        return 0x1p30;
    case 't':
        return 0x1p40;
    case 'p':
        return 0x1p50;
    case 'b':
        return 1;
    default:
        return 0;
    }
}

} // namespace

scanned_number scan_number(std::string_view text, bool strict) noexcept {
    scanned_number result;
    std::string_view rest = text;
    skip_blanks(rest);
    const bool negative = !rest.empty() && rest.front() == '-';
    if (negative) {
        rest.remove_prefix(1);
    }
    double value = 0;
    result.error = scan_whole(rest, value);
    const bool bare_point = result.error == bad_number && !strict && rest.size() > 1 && is_digit(rest[1]);
    if (!rest.empty() && rest.front() == '.' && (result.error == nullptr || bare_point)) {
        if (value > decimal_limit) {
            result.error = long_number;
        } else {
            rest.remove_prefix(1);
            result.error = scan_fraction(rest, value, strict);
        }
    }
    result.value = negative ? -value : value;
    result.size = text.size() - rest.size();
    return result;
}

std::optional<double> parse_number(std::string_view text) noexcept {
    const scanned_number n = scan_number(text, false);
    return n.error == nullptr && n.size == text.size() ? std::optional(n.value) : std::nullopt;
}

std::optional<seconds> scale_duration(double number, std::string_view unit) noexcept {
    const std::string_view name = trim_blanks(unit);
    if (name == "ms") {
        return number * 1e-3;
    }
    if (name.size() != 1) {
        return std::nullopt;
    }
    switch (name.front()) {
    case 's':
        return number;
    case 'm':
        return number * 60;
    case 'h':
        return number * 3600;
    case 'd':
        return number * 86400;
    case 'w':
        return number * 604800;
    case 'y':
        return number * 31536000;
    default:
        return std::nullopt;
    }
}

std::optional<seconds> parse_duration(std::string_view text) noexcept {
    const scanned_number n = scan_number(text, false);
    return n.error == nullptr ? scale_duration(n.value, text.substr(n.size)) : std::nullopt;
}

parsed_bytes parse_bytes(std::string_view text) noexcept {
    const scanned_number n = scan_number(text, true);
    if (n.error != nullptr || n.value < 0) {
        return {0, n.error != nullptr ? n.error : bad_number};
    }
    std::string_view unit = trim_blanks(text.substr(n.size));
    double scale = 1;
    if (!unit.empty()) {
        scale = power_of_unit(unit.front());
        const bool twice = unit.size() == 2 && to_lower(unit[1]) == 'b';
        if (scale == 0 || unit.size() > 2 || (unit.size() == 2 && !twice)) {
            return {0, bad_unit};
        }
    }
    if (scale == 1 && n.value != std::trunc(n.value)) {
        return {0, split_byte};
    }
    constexpr double above_all = 18446744073709551616.; // 2^64
    const double count = std::trunc(scale * n.value);
    return {count < above_all ? static_cast<std::uint64_t>(count) : std::numeric_limits<std::uint64_t>::max(), nullptr};
}

} // namespace clearcoat::base
