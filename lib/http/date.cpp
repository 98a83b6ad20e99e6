#include "http/date.hpp"

#include "base/ascii.hpp"

#include <cstdint>

namespace clearcoat::http {

namespace {

constexpr std::string_view weekdays[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
constexpr std::string_view months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr int month_days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
constexpr std::int64_t seconds_a_day = 86400;

struct broken_down {
    int year = 0;
    int month = 0; // 1 to 12
    int day = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;
    int weekday = -1; // 0 is Sunday; -1 when the form has none
};

/// Days since 1970-01-01 in the Gregorian calendar, years counted from March.
std::int64_t days_from_civil(std::int64_t year, int month, int day) noexcept {
    year -= month <= 2 ? 1 : 0;
    std::int64_t era = (year >= 0 ? year : year - 399) / 400;
    std::int64_t year_of_era = year - era * 400;
    std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return era * 146097 + day_of_era - 719468;
}

broken_down civil_from_days(std::int64_t days) noexcept {
    days += 719468;
    std::int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    std::int64_t day_of_era = days - era * 146097;
    std::int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    std::int64_t month_from_march = (5 * day_of_year + 2) / 153;
    broken_down t;
    t.day = static_cast<int>(day_of_year - (153 * month_from_march + 2) / 5 + 1);
    t.month = static_cast<int>(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
    t.year = static_cast<int>(year_of_era + era * 400 + (t.month <= 2 ? 1 : 0));
    return t;
}

int weekday_of(std::int64_t days) noexcept {
    auto weekday = static_cast<int>((days + 4) % 7);
    return weekday < 0 ? weekday + 7 : weekday;
}

bool is_leap(int year) noexcept {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/// Takes a date apart from the front. Each step tells whether the text went on as it must.
class reader {
  public:
    explicit reader(std::string_view text) noexcept : rest_(text) {}

    bool number(int digits, int& out) noexcept;
    bool literal(std::string_view expected) noexcept;
    bool weekday_start(int& out) noexcept;
    bool month(int& out) noexcept;
    bool time(broken_down& t) noexcept {
        return number(2, t.hour) && literal(":") && number(2, t.minute) && literal(":") && number(2, t.second);
    }
    void spaces() noexcept {
        while (starts_with(' ')) {
            rest_.remove_prefix(1);
        }
    }
    bool starts_with(char c) const noexcept { return !rest_.empty() && rest_.front() == c; }
    bool starts_with_digit() const noexcept { return !rest_.empty() && base::is_digit(rest_.front()); }
    bool at_end() const noexcept { return rest_.empty(); }

  private:
    std::string_view rest_;
};

bool reader::number(int digits, int& out) noexcept {
    out = 0;
    for (int i = 0; i < digits; ++i) {
        if (!starts_with_digit()) {
            return false;
        }
        out = out * 10 + (rest_.front() - '0');
        rest_.remove_prefix(1);
    }
    return true;
}

bool reader::literal(std::string_view expected) noexcept {
    if (rest_.substr(0, expected.size()) != expected) {
        return false;
    }
    rest_.remove_prefix(expected.size());
    return true;
}

bool reader::weekday_start(int& out) noexcept {
    for (out = 0; out < 7; ++out) {
        if (literal(weekdays[out].substr(0, 3))) {
            return true;
        }
    }
    return false;
}

bool reader::month(int& out) noexcept {
    for (out = 1; out <= 12; ++out) {
        if (literal(months[out - 1])) {
            return true;
        }
    }
    return false;
}

/// ", 06 Nov 1994 08:49:37 GMT"
bool read_fixed(reader& r, broken_down& t) noexcept {
    return r.literal(", ") && r.number(2, t.day) && r.literal(" ") && r.month(t.month) && r.literal(" ") &&
           r.number(4, t.year) && r.literal(" ") && r.time(t) && r.literal(" GMT");
}

/// " Nov  6 08:49:37 1994"
bool read_asctime(reader& r, broken_down& t) noexcept {
    if (!r.literal(" ") || !r.month(t.month) || !r.literal(" ")) {
        return false;
    }
    bool day = r.literal(" ") ? r.number(1, t.day) : r.number(2, t.day);
    return day && r.literal(" ") && r.time(t) && r.literal(" ") && r.number(4, t.year);
}

/// "day, 06-Nov-94 08:49:37 GMT"
bool read_rfc850(reader& r, broken_down& t) noexcept {
    if (!r.literal(weekdays[t.weekday].substr(3)) || !r.literal(", ") || !r.number(2, t.day) || !r.literal("-") ||
        !r.month(t.month) || !r.literal("-") || !r.number(2, t.year) || !r.literal(" ")) {
        return false;
    }
    t.year += t.year < 69 ? 2000 : 1900;
    return r.time(t) && r.literal(" GMT");
}

/// "1994-11-06T08:49:37"
bool read_iso(reader& r, broken_down& t) noexcept {
    return r.number(4, t.year) && r.literal("-") && r.number(2, t.month) && r.literal("-") && r.number(2, t.day) &&
           r.literal("T") && r.time(t);
}

bool read_any(reader& r, broken_down& t) noexcept {
    if (r.starts_with_digit()) {
        return read_iso(r, t);
    }
    if (!r.weekday_start(t.weekday)) {
        return false;
    }
    if (r.starts_with(',')) {
        return read_fixed(r, t);
    }
    return r.starts_with(' ') ? read_asctime(r, t) : read_rfc850(r, t);
}

bool is_possible(const broken_down& t) noexcept {
    bool in_range = t.second <= 60 && t.minute <= 59 && t.hour <= 23 && t.month >= 1 && t.month <= 12 && t.day >= 1 &&
                    t.day <= month_days[t.month - 1] && t.year >= 1899;
    return in_range && (t.month != 2 || t.day <= 28 || is_leap(t.year));
}

void put(char* at, std::string_view text) noexcept {
    for (char c : text) {
        *at++ = c;
    }
}

void put_number(char* at, int digits, std::int64_t value) noexcept {
    while (digits-- > 0) {
        at[digits] = static_cast<char>('0' + value % 10);
        value /= 10;
    }
}

} // namespace

base::seconds parse_date(std::string_view text) noexcept {
    reader r(text);
    broken_down t;
    r.spaces();
    if (!read_any(r, t)) {
        return 0;
    }
    r.spaces();
    if (!r.at_end() || !is_possible(t)) {
        return 0;
    }
    std::int64_t days = days_from_civil(t.year, t.month, t.day);
    if (t.weekday != -1 && t.weekday != weekday_of(days)) {
        return 0;
    }
    int second = t.second == 60 ? 59 : t.second;
    return static_cast<base::seconds>(days * seconds_a_day + t.hour * 3600 + t.minute * 60 + second);
}

std::string_view format_date(base::seconds when, std::span<char, date_size> room) noexcept {
    constexpr base::seconds first = -62167219200.0; // the year 0
    constexpr base::seconds behind = 253402300800.0;
    if (!(when >= first && when < behind)) {
        return {};
    }
    auto whole = static_cast<std::int64_t>(when);
    std::int64_t days = whole / seconds_a_day - (whole % seconds_a_day < 0 ? 1 : 0);
    std::int64_t second = whole - days * seconds_a_day;
    broken_down t = civil_from_days(days);
    char* at = room.data();
    put(at, "Www, dd Mmm yyyy hh:mm:ss GMT");
    put(at, weekdays[weekday_of(days)].substr(0, 3));
    put_number(at + 5, 2, t.day);
    put(at + 8, months[t.month - 1]);
    put_number(at + 12, 4, t.year);
    put_number(at + 17, 2, second / 3600);
    put_number(at + 20, 2, second / 60 % 60);
    put_number(at + 23, 2, second % 60);
    return {at, date_size};
}

} // namespace clearcoat::http
