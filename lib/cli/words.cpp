#include "cli/words.hpp"

#include "base/ascii.hpp"

#include <fmt/core.h>

namespace clearcoat::cli {

namespace {

constexpr std::string_view bad_escape = "Invalid backslash sequence";
constexpr std::string_view bad_quote = "Invalid '\"'";
constexpr std::string_view open_quote = "Missing '\"'";
constexpr std::string_view no_separator = "Missing separator between arguments";

int hex_value(char c) noexcept {
    if (base::is_digit(c)) {
        return c - '0';
    }
    const char lower = base::to_lower(c);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

struct escape {
    std::size_t size = 0; // bytes of the sequence; 0: none that is known
    char value = 0;
};

escape octal_escape(std::string_view text) noexcept {
    unsigned value = 0;
    std::size_t at = 1;
    while (at < 4 && at < text.size() && text[at] >= '0' && text[at] <= '7') {
        value = value << 3 | static_cast<unsigned>(text[at] - '0');
        ++at;
    }
    return {at, static_cast<char>(value)};
}

// `text` begins with the backslash.
escape read_escape(std::string_view text) noexcept {
    if (text.size() < 2) {
        return {};
    }
    switch (text[1]) {
    case 'n':
        return {2, '\n'};
    case 'r':
        return {2, '\r'};
    case 't':
        return {2, '\t'};
    case '"':
    case '\\':
        return {2, text[1]};
    case 'x':
        if (text.size() >= 4 && hex_value(text[2]) >= 0 && hex_value(text[3]) >= 0) {
            return {4, static_cast<char>(hex_value(text[2]) << 4 | hex_value(text[3]))};
        }
        return {};
    default:
        return text[1] >= '0' && text[1] <= '7' ? octal_escape(text) : escape{};
    }
}

class splitter {
  public:
    splitter(std::string_view line, separator by) noexcept : rest_(line), commas_(by == separator::commas) {}

    split_line run() {
        while (!rest_.empty() && out_.error.empty()) {
            if (base::is_space(rest_[0])) {
                // DIFFERS: the reference calls two quoted words an error even with a blank between them.
                ended_by_ = ended_by_ == '"' ? ' ' : ended_by_;
                rest_.remove_prefix(1);
            } else if (commas_ && rest_[0] == ',' && base::is_space(ended_by_)) {
                // "a ,b": the blank ended the word, the comma belongs to it.
                ended_by_ = 0;
                rest_.remove_prefix(1);
            } else if (ended_by_ == '"' && rest_[0] == '"') {
                out_.error = no_separator;
            } else {
                read_word();
            }
        }
        if (!out_.error.empty()) {
            out_.words.clear();
        } else if (ended_by_ == ',') {
            out_.words.emplace_back();
        }
        return std::move(out_);
    }

  private:
    bool ends_word(char c) const noexcept { return base::is_space(c) || (commas_ && c == ','); }

    void read_word() {
        ended_by_ = 0;
        const bool quoted = rest_[0] == '"';
        if (quoted) {
            rest_.remove_prefix(1);
        }
        std::string word;
        while (!rest_.empty()) {
            const char c = rest_[0];
            if (c == '\\') {
                const escape e = read_escape(rest_);
                if (e.size == 0) {
                    out_.error = bad_escape;
                    return;
                }
                word += e.value;
                rest_.remove_prefix(e.size);
                continue;
            }
            rest_.remove_prefix(1);
            if (quoted ? c == '"' : ends_word(c)) {
                ended_by_ = c;
                break;
            }
            if (!quoted && c == '"') {
                out_.error = bad_quote;
                return;
            }
            word += c;
        }
        if (quoted && ended_by_ == 0) {
            out_.error = open_quote;
            return;
        }
        out_.words.push_back(std::move(word));
    }

    std::string_view rest_;
    bool commas_;
    char ended_by_ = 0; // what ended the word before; 0: nothing did
    split_line out_;
};

} // namespace

split_line split_words(std::string_view line, separator by) {
    return splitter(line, by).run();
}

std::string quote_word(std::string_view word) {
    std::string out = "\"";
    for (const char c : word) {
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\r':
            out += "\\r";
            break;
        case '\t':
            out += "\\t";
            break;
        default:
            if (c >= ' ' && c != 0x7f) {
                out += c;
            } else if (static_cast<unsigned char>(c) >= 0x80) {
                out += c;
            } else {
                out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
            }
        }
    }
    out += '"';
    return out;
}

} // namespace clearcoat::cli
