// Seconds with six digits behind the point, as the log prints times: much faster than a general formatter, which the
// log of every request would feel. Digits behind the sixth are dropped, not rounded.
#pragma once

#include "base/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace clearcoat::base {

/// The text of a span or time below 2^53 microseconds (285 years): "1700000000.123456", "-0.000100".
class fixed6 {
  public:
    explicit fixed6(seconds value) noexcept {
        bool negative = value < 0;
        auto micros = static_cast<std::uint64_t>((negative ? -value : value) * 1e6);
        for (int digit = 0; digit < 6; ++digit) {
            put(micros);
        }
        text_[--begin_] = '.';
        do {
            put(micros);
        } while (micros != 0);
        if (negative) {
            text_[--begin_] = '-';
        }
    }
    std::string_view view() const noexcept { return {text_ + begin_, sizeof text_ - begin_}; }

  private:
    void put(std::uint64_t& number) noexcept {
        text_[--begin_] = static_cast<char>('0' + number % 10);
        number /= 10;
    }

    char text_[32];
    std::size_t begin_ = sizeof text_;
};

} // namespace clearcoat::base
