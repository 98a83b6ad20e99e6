#include "http/range.hpp"

#include "base/ascii.hpp"
#include "http/date.hpp"
#include "http/h1/framing.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace clearcoat::http {

namespace {

constexpr std::int64_t no_number = -1;
constexpr std::int64_t too_big = -2;

/// Takes digits off the front; no_number without any (nothing is taken), too_big beyond 63 bits.
std::int64_t take_number(std::string_view& text) noexcept {
    std::uint64_t value = 0;
    std::size_t at = 0;
    bool fits = true;
    for (; at < text.size() && base::is_digit(text[at]); ++at) {
        auto digit = static_cast<std::uint64_t>(text[at] - '0');
        fits = fits && value <= (static_cast<std::uint64_t>(INT64_MAX) - digit) / 10;
        value = fits ? value * 10 + digit : 0;
    }
    text.remove_prefix(at);
    if (at == 0) {
        return no_number;
    }
    return fits ? static_cast<std::int64_t>(value) : too_big;
}

bool take(std::string_view& text, char expected) noexcept {
    if (text.empty() || text.front() != expected) {
        return false;
    }
    text.remove_prefix(1);
    return true;
}

byte_range refused(std::string_view why) noexcept {
    return {no_number, no_number, why};
}

bool is_weak(std::string_view tag) noexcept {
    return tag.substr(0, 2) == "W/";
}

constexpr content_range bad_content_range{content_range::state::bad, no_number, no_number, no_number};

std::string_view expected(std::string_view what, std::int64_t wanted, std::int64_t got, std::span<char> room) noexcept {
    auto written = fmt::format_to_n(room.data(), room.size(), "Expected {} {}, got {}", what, wanted, got);
    return {room.data(), std::min(written.size, room.size())};
}

/// Whether the part that came is the part that was asked for.
std::string_view compare_ranges(const byte_range& asked, content_range got, const h1::content_length& length,
                                std::span<char> room) noexcept {
    if (got.low < 0) {
        got.low = 0;
        got.high = got.total - 1;
    }
    std::int64_t size = got.high - got.low + 1;
    if (length.what == h1::content_length::state::valid && static_cast<std::int64_t>(length.value) != size) {
        return expected("content length", size, static_cast<std::int64_t>(length.value), room);
    }
    // Without a low number the high one was counted from the end, and one beyond the end is allowed: nothing to
    // compare.
    if (asked.low < 0) {
        return {};
    }
    if (asked.low != got.low) {
        return expected("low range", got.low, asked.low, room);
    }
    if (asked.high >= 0 && asked.high < got.high) {
        return expected("minimum high range", got.high, asked.high, room);
    }
    return {};
}

} // namespace

byte_range parse_range(std::string_view value) noexcept {
    std::size_t equals = value.find('=');
    if (equals == std::string_view::npos) {
        return refused("Missing '='");
    }
    if (!base::equal_nocase(value.substr(0, equals), "bytes")) {
        return refused("Not Bytes");
    }
    std::string_view rest = value.substr(equals + 1);
    byte_range range;
    range.low = take_number(rest);
    if (range.low == too_big) {
        return refused("Low number too big");
    }
    if (!take(rest, '-')) {
        return refused("Missing hyphen");
    }
    range.high = take_number(rest);
    if (range.high == too_big) {
        return refused("High number too big");
    }
    if (range.low < 0 && range.high <= 0) {
        return refused(range.high < 0 ? "Neither high nor low" : "No low, high is zero");
    }
    if (range.high >= 0 && range.high < range.low) {
        return refused("high smaller than low");
    }
    return base::trim_blanks(rest).empty() ? range : refused("Trailing stuff");
}

range_decision decide_range(std::string_view range_value, std::optional<std::uint64_t> length) noexcept {
    using action = range_decision::action;
    byte_range range = parse_range(range_value);
    if (!range.error.empty()) {
        return {action::unsatisfiable, 0, 0, range.error};
    }
    if (!length) {
        return {};
    }
    std::uint64_t low = 0;
    if (range.low >= 0) {
        low = static_cast<std::uint64_t>(range.low);
    } else {
        auto tail = static_cast<std::uint64_t>(range.high);
        low = *length > tail ? *length - tail : 0;
    }
    if (low >= *length) {
        return {action::unsatisfiable, 0, 0, "low range beyond object"};
    }
    std::uint64_t high = *length - 1;
    if (range.low >= 0 && range.high >= 0) {
        high = std::min(high, static_cast<std::uint64_t>(range.high));
    }
    return {action::partial, low, high, {}};
}

bool if_range_allows(const head& request, const head& response) noexcept {
    std::string_view wanted = request.get(field_id::if_range);
    if (wanted.data() == nullptr) {
        return true;
    }
    if (is_weak(wanted)) {
        return false;
    }
    if (!wanted.empty() && wanted.front() == '"') {
        std::string_view tag = response.get(field_id::etag);
        return tag.data() != nullptr && !is_weak(tag) && tag == wanted;
    }
    base::seconds unmodified_since = parse_date(wanted);
    base::seconds date = parse_date(response.get(field_id::date));
    base::seconds modified = parse_date(response.get(field_id::last_modified));
    if (unmodified_since == 0 || date == 0 || modified == 0) {
        return false;
    }
    return modified <= date + 60 && modified == unmodified_since;
}

content_range parse_content_range(const head& h) noexcept {
    std::string_view rest = h.get(field_id::content_range);
    if (rest.data() == nullptr) {
        return {};
    }
    std::size_t space = rest.find(' ');
    if (space == std::string_view::npos) {
        return bad_content_range;
    }
    if (!base::equal_nocase(rest.substr(0, space), "bytes")) {
        return {};
    }
    rest.remove_prefix(space + 1);
    content_range range{content_range::state::valid, no_number, no_number, no_number};
    if (!take(rest, '*')) {
        range.low = take_number(rest);
        if (range.low < 0 || !take(rest, '-')) {
            return bad_content_range;
        }
        range.high = take_number(rest);
        if (range.high < 0) {
            return bad_content_range;
        }
    }
    if (!take(rest, '/')) {
        return bad_content_range;
    }
    bool total_known = !take(rest, '*');
    if (total_known) {
        range.total = take_number(rest);
    }
    bool fits = range.low <= range.high && (!total_known || (range.total > 0 && range.high < range.total));
    return fits && base::trim_blanks(rest).empty() ? range : bad_content_range;
}

std::string_view check_partial_response(const head& request, const head& response, std::span<char> room) noexcept {
    byte_range asked;
    if (request.has(field_id::range)) {
        asked = parse_range(request.get(field_id::range));
    }
    if (!asked.error.empty()) {
        auto written = fmt::format_to_n(room.data(), room.size(), "Invalid range header ({})", asked.error);
        return {room.data(), std::min(written.size, room.size())};
    }
    content_range got = parse_content_range(response);
    if (got.what == content_range::state::bad) {
        return "Invalid content-range header";
    }
    h1::content_length length = h1::content_length_of(response);
    if (length.what == h1::content_length::state::bad) {
        return "Invalid content-length header";
    }
    if (got.what == content_range::state::absent || (got.low < 0 && got.total < 0)) {
        return {};
    }
    if (asked.low < 0 && asked.high < 0) {
        return "Unexpected content-range header";
    }
    if (got.low < 0 && response.status() == 416) {
        return {};
    }
    return compare_ranges(asked, got, length, room);
}

} // namespace clearcoat::http
