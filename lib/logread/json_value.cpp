#include "logread/json_value.hpp"

#include "base/ascii.hpp"

#include <charconv>

namespace clearcoat::logread {
namespace {

constexpr int deepest = 100;

class parser {
  public:
    explicit parser(std::string_view text) : text_(text) {}

    std::optional<json_value> run() {
        json_value value;
        if (!take_value(value, 0)) {
            return std::nullopt;
        }
        skip_blanks();
        return text_.empty() ? std::optional(std::move(value)) : std::nullopt;
    }

  private:
    void skip_blanks() noexcept {
        while (!text_.empty() && base::is_space(text_.front())) {
            text_.remove_prefix(1);
        }
    }
    bool take(char c) noexcept {
        skip_blanks();
        if (text_.empty() || text_.front() != c) {
            return false;
        }
        text_.remove_prefix(1);
        return true;
    }

    bool take_value(json_value& value, int depth) {
        skip_blanks();
        if (text_.empty() || depth > deepest) {
            return false;
        }
        switch (text_.front()) {
        case '{':
        case '[':
            return take_members(value, depth);
        case '"':
            value.what = json_value::kind::text;
            return take_text(value.text);
        default:
            return take_bare(value);
        }
    }

    bool take_members(json_value& value, int depth) {
        const bool object = text_.front() == '{';
        const char close = object ? '}' : ']';
        text_.remove_prefix(1);
        value.what = object ? json_value::kind::object : json_value::kind::array;
        if (take(close)) {
            return true;
        }
        do {
            value.members.emplace_back();
            auto& [name, member] = value.members.back();
            skip_blanks();
            if (object && (!take_text(name) || !take(':'))) {
                return false;
            }
            if (!take_value(member, depth + 1)) {
                return false;
            }
        } while (take(','));
        return take(close);
    }

    bool take_text(std::string& out) {
        if (text_.empty() || text_.front() != '"') {
            return false;
        }
        text_.remove_prefix(1);
        while (!text_.empty() && text_.front() != '"') {
            const char c = text_.front();
            text_.remove_prefix(1);
            if (c != '\\') {
                out += c;
            } else if (!take_escape(out)) {
                return false;
            }
        }
        if (text_.empty()) {
            return false;
        }
        text_.remove_prefix(1);
        return true;
    }

    bool take_escape(std::string& out) {
        constexpr std::string_view from = "\"\\/bfnrt";
        constexpr std::string_view to = "\"\\/\b\f\n\r\t";
        if (text_.empty()) {
            return false;
        }
        const char c = text_.front();
        text_.remove_prefix(1);
        if (c == 'u') {
            return take_code_point(out);
        }
        const std::size_t at = from.find(c);
        if (at == std::string_view::npos) {
            return false;
        }
        out += to[at];
        return true;
    }

    /// Code points beyond the first 65,536 are not put together from their halves: no description has any.
    bool take_code_point(std::string& out) {
        unsigned code = 0;
        if (text_.size() < 4 || std::from_chars(text_.data(), text_.data() + 4, code, 16).ptr != text_.data() + 4) {
            return false;
        }
        text_.remove_prefix(4);
        if (code < 0x80) {
            out += static_cast<char>(code);
        } else if (code < 0x800) {
            out += static_cast<char>(0xc0 | code >> 6);
            out += static_cast<char>(0x80 | (code & 0x3f));
        } else {
            out += static_cast<char>(0xe0 | code >> 12);
            out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
            out += static_cast<char>(0x80 | (code & 0x3f));
        }
        return true;
    }

    bool take_bare(json_value& value) {
        std::size_t size = 0;
        while (size < text_.size() &&
               (base::is_alnum(text_[size]) || text_[size] == '-' || text_[size] == '+' || text_[size] == '.')) {
            ++size;
        }
        value.text = text_.substr(0, size);
        text_.remove_prefix(size);
        if (value.text.empty()) {
            return false;
        }
        if (base::is_digit(value.text.front()) || value.text.front() == '-') {
            value.what = json_value::kind::number;
            return true;
        }
        return value.text == "true" || value.text == "false" || value.text == "null";
    }

    std::string_view text_;
};

} // namespace

const json_value* json_value::find(std::string_view name) const noexcept {
    for (const auto& [key, member] : members) {
        if (key == name) {
            return &member;
        }
    }
    return nullptr;
}

std::string_view json_value::text_of(std::string_view name) const noexcept {
    const json_value* member = find(name);
    return member == nullptr ? std::string_view() : std::string_view(member->text);
}

std::optional<json_value> parse_json(std::string_view text) {
    return parser(text).run();
}

} // namespace clearcoat::logread
