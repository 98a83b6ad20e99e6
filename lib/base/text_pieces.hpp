// Pieces that a log record's text is joined from: strings, characters, whole numbers, and seconds with six digits
// behind the point. Much faster than a general formatter, which the log of every request would feel. Each piece tells
// the most bytes it may take, so that a record's room is tested once and the pieces are written without tests.
#pragma once

#include "base/clock.hpp"

#include <charconv>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace clearcoat::base {

/// Seconds as "%.6f" prints them: "1700000000.123456", "-0.000100". Beyond 10^18 the number is cut to that.
struct fixed6 {
    seconds value;
};

namespace pieces {

constexpr char digit_pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                               "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                               "8081828384858687888990919293949596979899";

constexpr std::size_t most(std::string_view text) noexcept {
    return text.size();
}
constexpr std::size_t most(char) noexcept {
    return 1;
}
constexpr std::size_t most(std::integral auto) noexcept {
    return 20;
}
constexpr std::size_t most(fixed6) noexcept {
    return 27;
}

// Each writes its piece and returns the end.
inline char* put(char* at, std::string_view text) noexcept {
    if (!text.empty()) { // data() may be nullptr then
        std::memcpy(at, text.data(), text.size());
    }
    return at + text.size();
}
inline char* put(char* at, char c) noexcept {
    *at = c;
    return at + 1;
}
char* put(char* at, std::integral auto number) noexcept {
    if (number >= 0 && number < 10) {
        *at = static_cast<char>('0' + number);
        return at + 1;
    }
    return std::to_chars(at, at + most(number), number).ptr;
}
inline void put_pair(char* at, std::uint32_t below_100) noexcept {
    std::memcpy(at, digit_pairs + below_100 * 2, 2);
}
inline char* put(char* at, fixed6 number) noexcept {
    double value = number.value;
    if (value < 0) {
        *at++ = '-';
        value = -value;
    }
    value = value < 1e18 ? value : 1e18;
    auto whole = static_cast<std::uint64_t>(value);
    auto micros = static_cast<std::uint32_t>((value - static_cast<double>(whole)) * 1e6 + 0.5);
    if (micros == 1000000) {
        ++whole;
        micros = 0;
    }
    if (whole - 1000000000ULL < 3000000000ULL) {
        // A time of day: ten digits until the year 2096.
        const auto upper = static_cast<std::uint32_t>(whole) / 10000;
        const auto lower = static_cast<std::uint32_t>(whole) % 10000;
        put_pair(at, upper / 10000);
        put_pair(at + 2, upper / 100 % 100);
        put_pair(at + 4, upper % 100);
        put_pair(at + 6, lower / 100);
        put_pair(at + 8, lower % 100);
        at += 10;
    } else {
        at = put(at, whole);
    }
    *at = '.';
    put_pair(at + 1, micros / 10000);
    put_pair(at + 3, micros / 100 % 100);
    put_pair(at + 5, micros % 100);
    return at + 7;
}

} // namespace pieces

/// Writes `parts` one behind the other to `at`, where there is room for the most each may take; returns the end.
template<class... Parts>
char* join(char* at, const Parts&... parts) noexcept {
    ((at = pieces::put(at, parts)), ...);
    return at;
}

/// The decimal digits of a whole number, or of two with a separator between them, in place.
class digits {
  public:
    explicit digits(std::integral auto number) noexcept : end_(pieces::put(text_, number)) {}
    void append(char separator, std::integral auto number) noexcept { end_ = join(end_, separator, number); }
    std::string_view text() const noexcept { return {text_, end_}; }

  private:
    char text_[48];
    char* end_;
};

/// The most bytes the joined parts may take.
template<class... Parts>
std::size_t most_joined(const Parts&... parts) noexcept {
    return (pieces::most(parts) + ... + 0);
}

} // namespace clearcoat::base
