#include "profile.hpp"

#include "logread/tag_set.hpp"

#include <array>
#include <cstdio>

#include <fmt/core.h>

namespace clearcoat::varnishhist {
namespace {

struct known_profile {
    std::string_view name;
    char side;
    log_tag tag;
    const char* prefix;
    int field;
    int low;
    int high;
};
constexpr std::array known_profiles{
    known_profile{"responsetime", 'c', log_tag::Timestamp, "Process:", 3, -6, 3},
    known_profile{"reqbodytime", 'c', log_tag::Timestamp, "ReqBody:", 3, -6, 3},
    known_profile{"size", 'c', log_tag::ReqAcct, "", 5, 1, 8},
    known_profile{"Bereqtime", 'b', log_tag::Timestamp, "Bereq:", 3, -6, 3},
    known_profile{"Beresptime", 'b', log_tag::Timestamp, "Beresp:", 3, -6, 3},
    known_profile{"BerespBodytime", 'b', log_tag::Timestamp, "BerespBody:", 3, -6, 3},
    known_profile{"Besize", 'b', log_tag::BereqAcct, "", 5, 1, 8},
};

std::optional<profile> find_known(std::string_view name, std::string& error) {
    for (const known_profile& k : known_profiles) {
        if (k.name == name) {
            return profile{k.side, k.tag, k.prefix, k.field, k.low, k.high};
        }
    }
    error = fmt::format("-P: No such profile '{}'", name);
    return std::nullopt;
}

std::optional<profile> malformed(std::string_view shown, std::string& error) {
    error = fmt::format("-P: '{}' is not a valid profile name or definition", shown);
    return std::nullopt;
}

/// "field[:low:high]"
bool take_numbers(const std::string& text, profile& p) {
    if (std::sscanf(text.c_str(), "%d", &p.field) != 1 || p.field < 1) {
        return false;
    }
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) {
        return true;
    }
    constexpr int widest = 300; // of what a double holds
    return std::sscanf(text.c_str() + colon + 1, "%d:%d", &p.low, &p.high) == 2 && p.low < p.high && p.low >= -widest &&
           p.high <= widest;
}

} // namespace

std::optional<profile> parse_profile(std::string_view text, std::string& error) {
    if (text.find(':') == std::string_view::npos) {
        return find_known(text, error);
    }
    profile p;
    std::size_t tag_at = 0;
    if (text[1] == ':' && (text[0] == 'b' || text[0] == 'c' || text[0] == 'E')) {
        p.side = text[0];
        tag_at = 2;
    }
    const std::size_t tag_end = text.find(':', tag_at);
    if (tag_end == std::string_view::npos) {
        return malformed(text, error);
    }
    if (logread::find_tag(text.substr(tag_at, tag_end - tag_at), p.tag) != logread::tag_verdict::found) {
        error = fmt::format("-P: '{}' is not a valid tag name", text);
        return std::nullopt;
    }
    if (tables::kind_of(p.tag) != tables::log_tag_kind::plain) {
        error = fmt::format("-P: '{}' is an unsafe or binary record", text);
        return std::nullopt;
    }
    const std::size_t prefix_end = text.find(':', tag_end + 1);
    if (prefix_end == std::string_view::npos) {
        return malformed(text, error);
    }
    p.prefix = text.substr(tag_end + 1, prefix_end - tag_end - 1);
    if (!take_numbers(std::string(text.substr(prefix_end + 1)), p)) {
        // As the reference shows it: up to where the prefix ends.
        return malformed(text.substr(0, prefix_end), error);
    }
    return p;
}

} // namespace clearcoat::varnishhist
