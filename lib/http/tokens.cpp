#include "http/tokens.hpp"

#include "base/ascii.hpp"

namespace clearcoat::http {

namespace {

bool is_separator(char c, std::string_view separators) noexcept {
    return separators.find(c) != std::string_view::npos;
}

std::string_view skip_blanks(std::string_view text) noexcept {
    while (!text.empty() && base::is_blank(text.front())) {
        text.remove_prefix(1);
    }
    return text;
}

/// Digits with a fraction, as far as they go; the reference takes values above 1 too.
double parse_quality(std::string_view text) noexcept {
    double value = 0;
    std::size_t at = 0;
    for (; at < text.size() && base::is_digit(text[at]); ++at) {
        value = value * 10 + (text[at] - '0');
    }
    if (at == text.size() || text[at] != '.') {
        return value;
    }
    double place = .1;
    for (++at; at < text.size() && base::is_digit(text[at]); ++at) {
        value += place * (text[at] - '0');
        place *= .1;
    }
    return value;
}

} // namespace

std::string_view next_element(std::string_view& rest, std::string_view separators) noexcept {
    std::size_t begin = 0;
    while (begin < rest.size() && (base::is_blank(rest[begin]) || is_separator(rest[begin], separators))) {
        ++begin;
    }
    if (begin == rest.size()) {
        rest = {};
        return {};
    }
    std::size_t end = begin + 1;
    while (end < rest.size() && !is_separator(rest[end], separators)) {
        ++end;
    }
    std::string_view element = rest.substr(begin, end - begin);
    rest.remove_prefix(end);
    while (base::is_blank(element.back())) {
        element.remove_suffix(1);
    }
    return element;
}

bool starts_with_token(std::string_view element, std::string_view token, std::string_view& after) noexcept {
    std::size_t size = token.size();
    if (element.size() >= size + 2 && element.front() == '"' && element.substr(1, size) == token &&
        element[size + 1] == '"') {
        after = skip_blanks(element.substr(size + 2));
        return true;
    }
    if (base::starts_with_nocase(element, token) && (element.size() == size || !base::is_token_char(element[size]))) {
        after = skip_blanks(element.substr(size));
        return true;
    }
    return false;
}

std::optional<std::string_view> find_token(std::string_view value, std::string_view token) noexcept {
    std::string_view after;
    for (;;) {
        std::string_view element = next_element(value, ",");
        if (element.data() == nullptr) {
            return std::nullopt;
        }
        if (starts_with_token(element, token, after)) {
            return after;
        }
    }
}

std::optional<std::string_view> find_token(const head& h, field_name name, std::string_view token) noexcept {
    std::string_view value = h.get(name);
    return value.data() == nullptr ? std::nullopt : find_token(value, token);
}

double quality_of(const head& h, field_name name, std::string_view token) noexcept {
    std::optional<std::string_view> rest = find_token(h, name, token);
    if (!rest) {
        return 0;
    }
    for (;;) {
        std::string_view parameter = next_element(*rest, ";");
        if (parameter.data() == nullptr) {
            return 1;
        }
        std::string_view value = parameter.front() == 'q' ? skip_blanks(parameter.substr(1)) : std::string_view();
        if (!value.empty() && value.front() == '=') {
            return parse_quality(skip_blanks(value.substr(1)));
        }
    }
}

std::optional<std::string_view> find_directive(const head& h, field_name name, std::string_view directive) noexcept {
    std::optional<std::string_view> rest = find_token(h, name, directive);
    if (!rest || rest->empty() || rest->front() != '=') {
        return rest ? std::optional<std::string_view>(std::string_view()) : std::nullopt;
    }
    return skip_blanks(rest->substr(1));
}

} // namespace clearcoat::http
