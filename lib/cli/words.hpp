// Lines of the management protocol as words: blanks separate, double quotes group, backslashes escape; the same rules
// with commas serve the options' sub-arguments.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::cli {

struct split_line {
    std::vector<std::string> words;
    std::string_view error; // static text; empty when the line is well formed
};

enum class separator { blanks, commas };

/// Splits a line. `commas` also ends words at commas, as option arguments do ("malloc,256m").
split_line split_words(std::string_view line, separator by = separator::blanks);

/// `word` so that split_words() reads it back as one word: in double quotes, with escapes. Newlines become "\n".
std::string quote_word(std::string_view word);

} // namespace clearcoat::cli
