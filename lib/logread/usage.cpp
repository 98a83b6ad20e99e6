#include "logread/usage.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

namespace clearcoat::logread {
namespace {

constexpr std::array shared_options{
    option_help{'b', nullptr, "Records of the backend side only"},
    option_help{'c', nullptr, "Records of the client side only"},
    option_help{'C', nullptr, "Regular expressions and texts match in any case"},
    option_help{'d', nullptr, "Begin with the oldest records, end with the newest"},
    option_help{'D', nullptr, "Run in the background"},
    option_help{'E', nullptr, "Show ESI requests too"},
    option_help{'g', "<session|request|vxid|raw>", "What belongs together (vxid)"},
    option_help{'h', nullptr, "Print this"},
    option_help{'i', "<taglist>", "Show these tags"},
    option_help{'I', "<[taglist:]regex>", "Show records that match"},
    option_help{'k', "<num>", "End after that many transactions"},
    option_help{'L', "<limit>", "How many incomplete transactions to keep (1000)"},
    option_help{'n', "<dir>", "The instance's name or work folder"},
    option_help{'P', "<file>", "Write the process id there"},
    option_help{'Q', "<file>", "Read a query from a file"},
    option_help{'q', "<query>", "Show what the query selects"},
    option_help{'r', "<filename>", "Read a saved log instead of a running instance's"},
    option_help{'R', "<limit[/duration]>", "At most that many transactions in that time"},
    option_help{'t', "<seconds|off>", "How long to wait for the instance (5)"},
    option_help{'T', "<seconds>", "How long to wait for a transaction's end (120)"},
    option_help{'v', nullptr, "The transaction's number on each line"},
    option_help{'V', nullptr, "Print the version"},
    option_help{'x', "<taglist>", "Do not show these tags"},
    option_help{'X', "<[taglist:]regex>", "Do not show records that match"},
};

const option_help* find(std::span<const option_help> options, char letter) noexcept {
    const auto found =
        std::find_if(options.begin(), options.end(), [letter](const option_help& o) { return o.letter == letter; });
    return found == options.end() ? nullptr : &*found;
}

} // namespace

std::vector<option_help> options_of(std::string_view letters, std::span<const option_help> own) {
    std::vector<option_help> made;
    for (const char letter : letters) {
        const option_help* row = find(own, letter);
        row = row != nullptr ? row : find(shared_options, letter);
        if (row != nullptr) {
            made.push_back(*row);
        }
    }
    return made;
}

std::string option_letters(std::span<const option_help> options) {
    std::string letters;
    for (const option_help& o : options) {
        letters += o.letter;
        letters += o.argument != nullptr ? ":" : "";
    }
    return letters;
}

std::string usage_text(std::string_view name, std::span<const option_help> options) {
    std::string text = fmt::format("Usage: {} <options>\n\nOptions:\n", name);
    for (const option_help& o : options) {
        const std::string form =
            o.argument == nullptr ? fmt::format("[-{}]", o.letter) : fmt::format("[-{} {}]", o.letter, o.argument);
        text += fmt::format(" {:<25} {}\n", form, o.meaning);
    }
    return text;
}

} // namespace clearcoat::logread
