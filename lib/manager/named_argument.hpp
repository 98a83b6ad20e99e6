// The form that -a and -s share: "[name=]word[,word...]".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::manager {

struct named_argument {
    std::optional<std::string> name;
    std::vector<std::string> words;
};

/// `option` ("-a") is for the messages. Throws option_error.
named_argument split_named_argument(std::string_view text, std::string_view option);

/// Whether `name` may name a VCL, listening socket or storage: a letter, then letters, digits, '_' and '-'. Gives the
/// first byte that may not stand there.
std::optional<char> bad_name_byte(std::string_view name) noexcept;

} // namespace clearcoat::manager
