#include "logread/query_lexer.hpp"

#include "base/ascii.hpp"

#include <array>
#include <optional>

#include <fmt/core.h>

namespace clearcoat::logread {
namespace {

struct fixed_word {
    std::string_view text;
    query_token kind;
};
// Longer ones first where one begins another.
constexpr std::array fixed_words{
    fixed_word{"not", query_token::op_not},     fixed_word{"and", query_token::op_and},
    fixed_word{"or", query_token::op_or},       fixed_word{"vxid", query_token::vxid},
    fixed_word{"eq", query_token::text_equal},  fixed_word{"ne", query_token::text_not_equal},
    fixed_word{"==", query_token::equal},       fixed_word{"!=", query_token::not_equal},
    fixed_word{"<=", query_token::at_most},     fixed_word{">=", query_token::at_least},
    fixed_word{"!~", query_token::no_match},    fixed_word{"~", query_token::match},
    fixed_word{"<", query_token::less},         fixed_word{">", query_token::greater},
    fixed_word{"{", query_token::open_brace},   fixed_word{"}", query_token::close_brace},
    fixed_word{"[", query_token::open_bracket}, fixed_word{"]", query_token::close_bracket},
    fixed_word{"(", query_token::open_paren},   fixed_word{")", query_token::close_paren},
    fixed_word{":", query_token::colon},        fixed_word{",", query_token::comma},
};

bool is_word_char(char c) noexcept {
    return base::is_alnum(c) || c == '_' || c == '-' || c == '+' || c == '.' || c == '*';
}

class scanner {
  public:
    explicit scanner(std::string_view text) : text_(text) {}

    query_words run() {
        while (at_ < text_.size() && found_.error.empty()) {
            if (!skip_blank()) {
                take_word();
            }
        }
        if (found_.error.empty()) {
            add(query_token::end, text_.size(), text_.size());
        }
        return std::move(found_);
    }

  private:
    char peek(std::size_t ahead = 0) const noexcept { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    query_word& add(query_token kind, std::size_t begin, std::size_t end) {
        found_.words.push_back({kind, begin, end, {}});
        at_ = end;
        return found_.words.back();
    }

    bool skip_blank() noexcept {
        if (base::is_blank(peek())) {
            ++at_;
        } else if (peek() == '\\' && peek(1) == '\n') {
            at_ += 2;
        } else if (peek() == '#') {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else {
            return false;
        }
        return true;
    }

    std::optional<fixed_word> fixed_here() const noexcept {
        for (const fixed_word& w : fixed_words) {
            if (text_.substr(at_).starts_with(w.text) &&
                !(is_word_char(w.text.back()) && is_word_char(peek(w.text.size())))) {
                return w;
            }
        }
        return std::nullopt;
    }

    void take_word() {
        if (std::optional<fixed_word> w = fixed_here()) {
            add(w->kind, at_, at_ + w->text.size());
        } else if (peek() == '"' || peek() == '\'') {
            take_string();
        } else if (is_word_char(peek())) {
            std::size_t end = at_;
            while (end < text_.size() && is_word_char(text_[end])) {
                ++end;
            }
            const std::string_view word = text_.substr(at_, end - at_);
            add(query_token::value, at_, end).value = word;
        } else if (peek() == '\n') {
            add(query_token::end, at_, at_ + 1);
        } else {
            const bool joined = !found_.words.empty() && found_.words.back().end == at_;
            const query_word& wrong = add(query_token::end, at_, at_ + 1);
            found_.error = "Syntax error " + query_place(text_, wrong, joined ? 0 : -1);
        }
    }

    void take_string() {
        const std::size_t begin = at_;
        const char quote = text_[begin];
        std::string value;
        std::size_t end = begin + 1;
        for (; end < text_.size() && text_[end] != quote && text_[end] != '\n'; ++end) {
            if (text_[end] == '\\' && (++end == text_.size() || text_[end] == '\n')) {
                break;
            }
            value += text_[end];
        }
        const bool closed = end < text_.size() && text_[end] == quote;
        query_word& word = add(query_token::value, begin, closed ? end + 1 : end);
        if (!closed) {
            found_.error = "Unterminated string " + query_place(text_, word, static_cast<int>(end - begin));
        }
        word.value = std::move(value);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    query_words found_;
};

} // namespace

std::string_view spelling(query_token kind) noexcept {
    for (const fixed_word& w : fixed_words) {
        if (w.kind == kind) {
            return w.text;
        }
    }
    return {};
}

query_words split_query(std::string_view text) {
    return scanner(text).run();
}

std::string query_place(std::string_view text, const query_word& word, int offset) {
    std::string place = fmt::format("(Pos {})\n", word.begin + 1 + static_cast<std::size_t>(std::max(offset, 0)));
    for (const char c : text) {
        place += base::is_space(c) ? ' ' : c;
    }
    place += '\n';
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool inside = i >= word.begin && i < word.end;
        const bool marked = inside && offset >= 0 && i - word.begin == static_cast<std::size_t>(offset);
        place += marked ? '^' : inside ? '#' : '-';
    }
    place += "\n\n";
    return place;
}

} // namespace clearcoat::logread
