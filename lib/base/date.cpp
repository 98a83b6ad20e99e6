#include "base/date.hpp"

#include "base/ascii.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <cstring>

namespace clearcoat::base {

namespace {

constexpr std::array<std::string_view, 7> weekdays{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/// Takes a date apart from the left; the first thing that does not fit makes it bad for good.
class date_scanner {
  public:
    explicit date_scanner(std::string_view text) noexcept : rest_(text) {}

    bool good() const noexcept { return good_; }
    bool at_end() const noexcept { return rest_.empty(); }
    bool next_is(char c) const noexcept { return !rest_.empty() && rest_.front() == c; }
    bool next_is_digit() const noexcept { return !rest_.empty() && is_digit(rest_.front()); }

    void literal(std::string_view wanted) noexcept { check(rest_.substr(0, wanted.size()) == wanted, wanted.size()); }

    int number(std::size_t digits) noexcept {
        int result = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            if (!next_is_digit()) {
                good_ = false;
                return 0;
            }
            result = result * 10 + (rest_.front() - '0');
            rest_.remove_prefix(1);
        }
        return result;
    }

    /// The index of the name that comes next, by its first three letters.
    template<std::size_t Count>
    int name(const std::array<std::string_view, Count>& names) noexcept {
        for (std::size_t i = 0; i < Count; ++i) {
            if (rest_.substr(0, 3) == names[i].substr(0, 3)) {
                rest_.remove_prefix(3);
                return static_cast<int>(i);
            }
        }
        good_ = false;
        return 0;
    }

  private:
    void check(bool fits, std::size_t size) noexcept {
        good_ = good_ && fits;
        rest_.remove_prefix(size < rest_.size() ? size : rest_.size());
    }

    std::string_view rest_;
    bool good_ = true;
};

struct date_parts {
    int year = 0;
    int month = 0; // from 1
    int day = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;
    int weekday = -1; // from Sunday; -1: not told
};

void scan_time(date_scanner& in, date_parts& out) noexcept {
    out.hour = in.number(2);
    in.literal(":");
    out.minute = in.number(2);
    in.literal(":");
    out.second = in.number(2);
}

void scan_iso(date_scanner& in, date_parts& out) noexcept {
    out.year = in.number(4);
    in.literal("-");
    out.month = in.number(2);
    in.literal("-");
    out.day = in.number(2);
    in.literal("T");
    scan_time(in, out);
}

/// "06 Nov 1994 08:49:37 GMT"
void scan_preferred(date_scanner& in, date_parts& out) noexcept {
    out.day = in.number(2);
    in.literal(" ");
    out.month = in.name(months) + 1;
    in.literal(" ");
    out.year = in.number(4);
    in.literal(" ");
    scan_time(in, out);
    in.literal(" GMT");
}

/// "Nov  6 08:49:37 1994"
void scan_asctime(date_scanner& in, date_parts& out) noexcept {
    out.month = in.name(months) + 1;
    in.literal(" ");
    if (in.next_is(' ')) {
        in.literal(" ");
        out.day = in.number(1);
    } else {
        out.day = in.number(2);
    }
    in.literal(" ");
    scan_time(in, out);
    in.literal(" ");
    out.year = in.number(4);
}

/// "06-Nov-94 08:49:37 GMT": the years from 1969 to 2068.
void scan_rfc850(date_scanner& in, date_parts& out) noexcept {
    out.day = in.number(2);
    in.literal("-");
    out.month = in.name(months) + 1;
    in.literal("-");
    out.year = 1900 + in.number(2);
    out.year += out.year < 1969 ? 100 : 0;
    in.literal(" ");
    scan_time(in, out);
    in.literal(" GMT");
}

void scan_named_day(date_scanner& in, date_parts& out) noexcept {
    out.weekday = in.name(weekdays);
    if (!in.good()) {
        return;
    }
    if (in.next_is(',')) {
        in.literal(", ");
        scan_preferred(in, out);
    } else if (in.next_is(' ')) {
        in.literal(" ");
        scan_asctime(in, out);
    } else {
        in.literal(weekdays[static_cast<std::size_t>(out.weekday)].substr(3));
        in.literal(", ");
        scan_rfc850(in, out);
    }
}

seconds to_seconds(const date_parts& parts) noexcept {
    namespace chrono = std::chrono;
    const chrono::year_month_day day{chrono::year(parts.year), chrono::month(static_cast<unsigned>(parts.month)),
                                     chrono::day(static_cast<unsigned>(parts.day))};
    if (parts.year < 1899 || !day.ok() || parts.hour > 23 || parts.minute > 59 || parts.second > 60) {
        return 0;
    }
    const chrono::sys_days days(day);
    if (parts.weekday != -1 && chrono::weekday(days).c_encoding() != static_cast<unsigned>(parts.weekday)) {
        return 0;
    }
    const int second = parts.second == 60 ? 59 : parts.second;
    return static_cast<seconds>(days.time_since_epoch().count()) * 86400. + parts.hour * 3600. + parts.minute * 60. +
           second;
}

void put_digits(char* to, int number, int digits) noexcept {
    for (int i = digits - 1; i >= 0; --i) {
        to[i] = static_cast<char>('0' + number % 10);
        number /= 10;
    }
}

} // namespace

seconds parse_date(std::string_view text) noexcept {
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == ' ') {
        text.remove_suffix(1);
    }
    date_scanner in(text);
    date_parts parts;
    if (in.next_is_digit()) {
        scan_iso(in, parts);
    } else {
        scan_named_day(in, parts);
    }
    return in.good() && in.at_end() ? to_seconds(parts) : 0;
}

std::string_view format_date(seconds when, std::span<char, date_size> room) noexcept {
    namespace chrono = std::chrono;
    constexpr seconds year_0 = -62167219200.;
    constexpr seconds year_10000 = 253402300800.;
    if (!(when >= year_0 && when < year_10000)) {
        return {};
    }
    const auto whole = static_cast<std::int64_t>(std::floor(when));
    const chrono::sys_seconds time{chrono::seconds(whole)};
    const auto days = chrono::floor<chrono::days>(time);
    const chrono::year_month_day day(days);
    const auto clock = static_cast<int>((time - days).count());
    char* to = room.data();
    std::memcpy(to, "Www, dd Mmm yyyy hh:mm:ss GMT", date_size);
    std::memcpy(to, weekdays[chrono::weekday(days).c_encoding()].data(), 3);
    put_digits(to + 5, static_cast<int>(static_cast<unsigned>(day.day())), 2);
    std::memcpy(to + 8, months[static_cast<unsigned>(day.month()) - 1].data(), 3);
    put_digits(to + 12, static_cast<int>(day.year()), 4);
    put_digits(to + 17, clock / 3600, 2);
    put_digits(to + 20, clock / 60 % 60, 2);
    put_digits(to + 23, clock % 60, 2);
    return {to, date_size};
}

} // namespace clearcoat::base
