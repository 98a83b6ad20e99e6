// Text as protocols see it: ASCII case folding, blanks, trimming. The locale plays no part.
#pragma once

#include <cstdint>
#include <string_view>

namespace clearcoat::base {

constexpr char to_lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}
constexpr char to_upper(char c) noexcept {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
}
constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
constexpr bool is_alpha(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_alnum(char c) noexcept {
    return is_digit(c) || is_alpha(c);
}
/// Space or tab.
constexpr bool is_blank(char c) noexcept {
    return c == ' ' || c == '\t';
}
/// What C's isspace() says in the "C" locale.
constexpr bool is_space(char c) noexcept {
    return c == ' ' || (c >= '\t' && c <= '\r');
}
/// Token characters, RFC 9110 §5.6.2.
bool is_token_char(char c) noexcept;

constexpr bool equal_nocase(std::string_view a, std::string_view b) noexcept {
    if (a.size() != b.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (to_lower(a[i]) != to_lower(b[i])) {
            return false;
        }
    }
    return true;
}

constexpr bool starts_with_nocase(std::string_view text, std::string_view prefix) noexcept {
    return text.size() >= prefix.size() && equal_nocase(text.substr(0, prefix.size()), prefix);
}

/// Without leading and trailing spaces and tabs.
constexpr std::string_view trim_blanks(std::string_view text) noexcept {
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

} // namespace clearcoat::base
