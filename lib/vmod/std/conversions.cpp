// Conversions of module std. All have one shape: exactly one source is given, and a fallback answers where it cannot be
// converted; without a fallback the VCL fails.
#include "base/date.hpp"
#include "base/numbers.hpp"
#include "vmod/std/functions.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/core.h>

namespace clearcoat::vmod::standard {

namespace {

// What a double holds exactly; and INT's limits, which are 15 digits.
constexpr double max_bytes = 9007199254740991.;
constexpr double max_integer = 999999999999999.;
constexpr double max_decimal = 999999999999.999;

constexpr std::size_t fallback = 1; // its position in all of them

/// Whether exactly one of the arguments `from` (positions) is given; otherwise the VCL fails.
bool one_source(vcl::call& c, const char* name, std::initializer_list<std::size_t> from) {
    int count = 0;
    for (std::size_t i : from) {
        count += c.given(i) ? 1 : 0;
    }
    if (count == 1) {
        return true;
    }
    c.fail(fmt::format("std.{}: {} arguments", name, count > 1 ? "too many" : "not enough"));
    return false;
}

vcl::value fall_back(vcl::call& c, arguments args, const char* name, const char* why = nullptr) {
    if (c.given(fallback)) {
        return args[fallback];
    }
    if (why == nullptr) {
        c.fail(fmt::format("std.{}: conversion failed", name));
    } else {
        c.fail(fmt::format("std.{}: conversion failed: {}", name, why));
    }
    return no_value();
}

/// The number that is all of the text; the reason in `why` otherwise.
std::optional<double> whole_number(const vcl::value& text, const char*& why) {
    if (undefined(text)) {
        return std::nullopt;
    }
    const base::scanned_number n = base::scan_number(text.string(), false);
    why = n.error;
    if (n.error != nullptr || n.size != text.string().size()) {
        return std::nullopt;
    }
    return n.value;
}

std::optional<double> text_as_integer(const vcl::value& text, const char*& why) {
    const std::optional<double> number = whole_number(text, why);
    return number && *number == std::trunc(*number) ? number : std::nullopt;
}

std::optional<double> text_as_real(const vcl::value& text, const char*& why) {
    const std::optional<double> number = whole_number(text, why);
    if (number && std::abs(*number) > max_decimal) {
        why = "Too many digits";
        return std::nullopt;
    }
    return number;
}

} // namespace

// duration([STRING s], [DURATION fallback], [REAL real], [INT integer])
vcl::value duration(vcl::call& c, arguments args) {
    if (!one_source(c, "duration", {0, 2, 3})) {
        return no_value();
    }
    if (c.given(2)) {
        return args[2];
    }
    if (c.given(3)) {
        return vcl::value::of_real(static_cast<double>(args[3].integer));
    }
    const auto seconds = undefined(args[0]) ? std::nullopt : base::parse_duration(args[0].string());
    return seconds ? vcl::value::of_real(*seconds) : fall_back(c, args, "duration");
}

// bytes([STRING s], [BYTES fallback], [REAL real], [INT integer])
vcl::value bytes(vcl::call& c, arguments args) {
    if (!one_source(c, "bytes", {0, 2, 3})) {
        return no_value();
    }
    double count = -1;
    if (c.given(2)) {
        count = std::trunc(args[2].real);
    } else if (c.given(3)) {
        return args[3].integer >= 0 ? args[3] : fall_back(c, args, "bytes");
    } else if (!undefined(args[0])) {
        const base::parsed_bytes parsed = base::parse_bytes(args[0].string());
        count = parsed.error == nullptr ? static_cast<double>(parsed.value) : -1;
    }
    if (count >= 0 && count <= max_bytes && !(c.given(2) && args[2].real < 0)) {
        return vcl::value::of_integer(static_cast<std::int64_t>(count));
    }
    return fall_back(c, args, "bytes");
}

// integer([STRING s], [INT fallback], [BOOL bool], [BYTES bytes], [DURATION duration], [REAL real], [TIME time])
vcl::value integer(vcl::call& c, arguments args) {
    if (!one_source(c, "integer", {0, 2, 3, 4, 5, 6})) {
        return no_value();
    }
    if (c.given(2)) {
        return vcl::value::of_integer(args[2].boolean ? 1 : 0);
    }
    if (c.given(3)) {
        return args[3];
    }
    const char* why = nullptr;
    const std::optional<double> number = c.given(0)   ? text_as_integer(args[0], why)
                                         : c.given(4) ? args[4].real
                                         : c.given(5) ? args[5].real
                                                      : args[6].real;
    if (number && std::abs(std::trunc(*number)) <= max_integer) {
        return vcl::value::of_integer(static_cast<std::int64_t>(*number));
    }
    return fall_back(c, args, "integer", why);
}

// real([STRING s], [REAL fallback], [INT integer], [BOOL bool], [BYTES bytes], [DURATION duration], [TIME time])
vcl::value real(vcl::call& c, arguments args) {
    if (!one_source(c, "real", {0, 2, 3, 4, 5, 6})) {
        return no_value();
    }
    if (c.given(2) || c.given(4)) {
        return vcl::value::of_real(static_cast<double>(args[c.given(2) ? 2 : 4].integer));
    }
    if (c.given(3)) {
        return vcl::value::of_real(args[3].boolean ? 1 : 0);
    }
    if (c.given(5) || c.given(6)) {
        return args[c.given(5) ? 5 : 6];
    }
    const char* why = nullptr;
    const std::optional<double> number = text_as_real(args[0], why);
    return number ? vcl::value::of_real(*number) : fall_back(c, args, "real", why);
}

// time([STRING s], [TIME fallback], [REAL real], [INT integer])
vcl::value time(vcl::call& c, arguments args) {
    if (!one_source(c, "time", {0, 2, 3})) {
        return no_value();
    }
    if (c.given(2)) {
        return args[2];
    }
    if (c.given(3)) {
        return vcl::value::of_real(static_cast<double>(args[3].integer));
    }
    if (!undefined(args[0])) {
        const base::seconds date = base::parse_date(args[0].string());
        const auto number = date != 0 ? std::optional(date) : base::parse_number(args[0].string());
        if (number && (date != 0 || *number > 0)) {
            return vcl::value::of_real(*number);
        }
    }
    return fall_back(c, args, "time");
}

} // namespace clearcoat::vmod::standard
