#include "http/freshness.hpp"

#include "base/ascii.hpp"
#include "http/date.hpp"
#include "http/tokens.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <optional>

#include <fmt/core.h>

namespace clearcoat::http {

namespace {

/// Which statuses are given a lifetime at all.
enum class cacheability { by_default, when_told, never };

cacheability cacheability_of(unsigned status) noexcept {
    switch (status) {
    case 302:
    case 307:
        return cacheability::when_told;
    case 200:
    case 203:
    case 204:
    case 300:
    case 301:
    case 304:
    case 404:
    case 410:
    case 414:
        return cacheability::by_default;
    default:
        return cacheability::never;
    }
}

std::optional<unsigned> stated_lifetime(const head& response) noexcept {
    for (std::string_view directive : {std::string_view("s-maxage"), std::string_view("max-age")}) {
        std::optional<std::string_view> value = find_directive(response, field_id::cache_control, directive);
        if (value) {
            // An s-maxage without a value hides max-age, as in the reference.
            if (value->data() != nullptr) {
                return parse_delta_seconds(*value);
            }
            return std::nullopt;
        }
    }
    return std::nullopt;
}

/// Expires is trusted by our own clock as long as Date agrees with it; otherwise only their difference counts.
base::seconds lifetime_from_expires(const freshness& f, base::seconds clock_skew) noexcept {
    if (f.expires < f.date) {
        return 0;
    }
    if (f.date == 0 || std::fabs(f.date - f.now) < clock_skew) {
        return f.expires < f.now ? 0 : f.expires - f.now;
    }
    return std::trunc(f.expires - f.date);
}

void set_lifetime(freshness& f, const head& response, base::seconds clock_skew) noexcept {
    cacheability c = cacheability_of(response.status());
    if (c != cacheability::by_default) {
        f.ttl = -1;
    }
    if (c == cacheability::never) {
        return;
    }
    if (std::optional<unsigned> stated = stated_lifetime(response)) {
        f.max_age = *stated;
        f.ttl = *stated;
    } else if (f.expires != 0) {
        f.ttl = lifetime_from_expires(f, clock_skew);
    }
}

} // namespace

unsigned parse_delta_seconds(std::string_view text) noexcept {
    std::size_t at = 0;
    while (at < text.size() && base::is_space(text[at])) {
        ++at;
    }
    at += at < text.size() && text[at] == '+' ? 1 : 0;
    std::uint64_t value = 0;
    for (; at < text.size() && base::is_digit(text[at]); ++at) {
        value = std::min<std::uint64_t>(value * 10 + static_cast<std::uint64_t>(text[at] - '0'),
                                        std::uint64_t(UINT_MAX) + 1);
    }
    if (value > UINT_MAX) {
        return UINT_MAX;
    }
    while (at < text.size() && base::is_blank(text[at])) {
        ++at;
    }
    bool ends_well = at == text.size() || text[at] == ',' || text[at] == '.';
    return ends_well ? static_cast<unsigned>(value) : 0;
}

freshness compute_freshness(const head& response, base::seconds now, const freshness_defaults& defaults,
                            bool is_private) noexcept {
    freshness f;
    f.now = now;
    f.origin = now;
    f.is_private = is_private;
    std::string_view age = response.get(field_id::age);
    if (age.data() != nullptr) {
        f.origin -= parse_delta_seconds(age);
    }
    if (is_private) {
        f.ttl = -1;
        return f;
    }
    f.ttl = defaults.default_ttl;
    f.grace = defaults.default_grace;
    f.keep = defaults.default_keep;
    f.expires = parse_date(response.get(field_id::expires));
    f.date = parse_date(response.get(field_id::date));
    set_lifetime(f, response, defaults.clock_skew);
    std::optional<std::string_view> stale;
    if (f.ttl >= 0) {
        stale = find_directive(response, field_id::cache_control, "stale-while-revalidate");
    }
    if (stale && stale->data() != nullptr) {
        f.grace = parse_delta_seconds(*stale);
    }
    return f;
}

std::string_view freshness::write_record(bool cacheable, std::span<char> room) const noexcept {
    auto written =
        fmt::format_to_n(room.data(), room.size(), "RFC {:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {} {}", ttl,
                         grace, keep, now, origin, date, expires, max_age, cacheable ? "cacheable" : "uncacheable");
    return {room.data(), std::min(written.size, room.size())};
}

} // namespace clearcoat::http
