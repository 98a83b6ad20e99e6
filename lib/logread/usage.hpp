// How the tools of the log describe their options: one table for --optstring and for the usage text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::logread {

struct option_help {
    char letter;
    const char* argument; // nullptr: it takes none
    const char* meaning;
};

/// The rows for `letters`, in that order: from `own` where the tool says it otherwise, or from the options that the
/// tools share.
std::vector<option_help> options_of(std::string_view letters, std::span<const option_help> own);

/// As getopt(3) takes it.
std::string option_letters(std::span<const option_help> options);
/// "Usage: NAME <options>" and a line for each option.
std::string usage_text(std::string_view name, std::span<const option_help> options);

} // namespace clearcoat::logread
