#include "manager/named_argument.hpp"

#include "base/ascii.hpp"
#include "cli/words.hpp"
#include "manager/option_error.hpp"

namespace clearcoat::manager {

std::optional<char> bad_name_byte(std::string_view name) noexcept {
    if (name.empty()) {
        return '\0';
    }
    if (!base::is_alpha(name[0])) {
        return name[0];
    }
    for (const char c : name) {
        if (!base::is_alnum(c) && c != '_' && c != '-') {
            return c;
        }
    }
    return std::nullopt;
}

named_argument split_named_argument(std::string_view text, std::string_view option) {
    named_argument out;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos && equals < text.find(',')) {
        const std::string_view name = text.substr(0, equals);
        if (bad_name_byte(name)) {
            option_fails("invalid {} name \"{}\"=[...]", option, name);
        }
        if (equals + 1 == text.size()) {
            option_fails("Empty named {} argument \"{}\"", option, text);
        }
        out.name = std::string(name);
        text.remove_prefix(equals + 1);
    }
    cli::split_line split = cli::split_words(text, cli::separator::commas);
    if (!split.error.empty()) {
        option_fails("{}", split.error);
    }
    out.words = std::move(split.words);
    return out;
}

} // namespace clearcoat::manager
