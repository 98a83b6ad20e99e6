// Seconds with six digits behind the point, as the log prints times: much faster than a general formatter, which the
// log of every request would feel. Digits behind the sixth are dropped, not rounded.
#pragma once

#include "base/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace clearcoat::base {

/// The text of a span or time below 2^53 microseconds (285 years): "1700000000.123456", "-0.000100".
class fixed6 {
  public:
    explicit fixed6(seconds value) noexcept {
        bool negative = value < 0;
        auto micros = static_cast<std::uint64_t>((negative ? -value : value) * 1e6);
        auto fraction = static_cast<std::uint32_t>(micros % 1000000);
        put_pair(fraction % 100);
        put_pair(fraction / 100 % 100);
        put_pair(fraction / 10000);
        text_[--begin_] = '.';
        std::uint64_t whole = micros / 1000000;
        for (; whole >= 100; whole /= 100) {
            put_pair(static_cast<std::uint32_t>(whole % 100));
        }
        put_pair(static_cast<std::uint32_t>(whole));
        begin_ += whole < 10 ? 1 : 0;
        if (negative) {
            text_[--begin_] = '-';
        }
    }
    std::string_view view() const noexcept { return {text_ + begin_, sizeof text_ - begin_}; }

  private:
    void put_pair(std::uint32_t number) noexcept {
        text_[--begin_] = static_cast<char>('0' + number % 10);
        text_[--begin_] = static_cast<char>('0' + number / 10);
    }

    char text_[32];
    std::size_t begin_ = sizeof text_;
};

/// The text of a Timestamp record, "EVENT: NOW SINCE_START SINCE_LAST".
class timestamp_text {
  public:
    timestamp_text(std::string_view event, seconds now, seconds since_start, seconds since_last) noexcept {
        add(event.substr(0, sizeof text_ - 128));
        add(": ");
        add(fixed6(now).view());
        add(" ");
        add(fixed6(since_start).view());
        add(" ");
        add(fixed6(since_last).view());
    }
    std::string_view view() const noexcept { return {text_, size_}; }

  private:
    void add(std::string_view piece) noexcept {
        std::memcpy(text_ + size_, piece.data(), piece.size());
        size_ += piece.size();
    }

    char text_[512];
    std::size_t size_ = 0;
};

} // namespace clearcoat::base
