// The words of VCL with the place each was read from. Tokens refer into the texts of a source_set and live as long.
#pragma once

#include <cstdint>
#include <string_view>

namespace clearcoat::vcl::syntax {

struct source;

/// Single characters stand for themselves; the others are numbered above them.
enum class kind : std::uint8_t {
    end = 128, // of the input; also the place of a lexical error
    name,
    integer,
    real,
    string,
    inline_c,
    blob,
    increment,
    decrement,
    logical_and,
    logical_or,
    less_equal,
    equal,
    not_equal,
    greater_equal,
    shift_right,
    shift_left,
    plus_equal,
    minus_equal,
    times_equal,
    divide_equal,
    no_match
};

constexpr kind punct(char c) noexcept {
    return static_cast<kind>(c);
}

/// What error messages call a token that was expected: "';'", "ID", "==".
std::string_view expected_name(kind k) noexcept;

struct token {
    kind what = kind::end;
    std::string_view text;   // as written
    std::string_view string; // of strings: without the delimiters
    double number = 0;       // of integers and reals
    std::uint32_t point = 0; // VCL_trace's number of this place; 0: none
    const source* from = nullptr;

    constexpr bool is(kind k) const noexcept { return what == k; }
    constexpr bool is(char c) const noexcept { return what == punct(c); }
    /// Whether this is that name, letter for letter.
    bool is_name(std::string_view n) const noexcept { return what == kind::name && text == n; }
    const char* begin() const noexcept { return text.data(); }
    const char* end() const noexcept { return text.data() + text.size(); }
};

} // namespace clearcoat::vcl::syntax
