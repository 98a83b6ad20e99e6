// Words of the query language with their places, and the message for a place in the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::logread {

enum class query_token : std::uint8_t {
    end, // of a line or of the text
    value,
    vxid,
    op_not,
    op_and,
    op_or,
    equal,
    not_equal,
    less,
    greater,
    at_most,
    at_least,
    text_equal,
    text_not_equal,
    match,
    no_match,
    open_brace,
    close_brace,
    open_bracket,
    close_bracket,
    open_paren,
    close_paren,
    colon,
    comma
};

/// As it is written: "=="; empty for values and ends.
std::string_view spelling(query_token kind) noexcept;

struct query_word {
    query_token kind = query_token::end;
    std::size_t begin = 0; // bytes into the text
    std::size_t end = 0;
    std::string value; // quotes and escapes resolved
};

struct query_words {
    std::vector<query_word> words; // the last one is an end
    std::string error;
};
query_words split_query(std::string_view text);

/// "(Pos 4)", the text on one line and a line that marks the word: '#' under it, '^' under the byte at `offset` in it
/// where that is not negative.
std::string query_place(std::string_view text, const query_word& word, int offset);

} // namespace clearcoat::logread
