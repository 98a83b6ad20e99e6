#include "vcl/syntax/lexer.hpp"

#include "base/ascii.hpp"
#include "vcl/syntax/base64.hpp"

#include <cstdlib>
#include <string>

namespace clearcoat::vcl::syntax {

namespace {

constexpr std::size_t most_digits = 15;       // RFC 8941 §3.3.1
constexpr std::size_t most_whole_digits = 12; // RFC 8941 §3.3.2
constexpr std::size_t most_fraction_digits = 3;

struct delimiter {
    std::string_view name;
    std::string_view open;
    std::string_view close;
    bool lines; // may hold line ends
    kind what;
};

constexpr delimiter delimiters[] = {
    {"long-string", "\"\"\"", "\"\"\"", true, kind::string},
    {"long-string", "{\"", "\"}", true, kind::string},
    {"string", "\"", "\"", false, kind::string},
    {"inline C source", "C{", "}C", true, kind::inline_c},
};

struct fixed {
    std::string_view text;
    kind what;
};

constexpr fixed two_character_tokens[] = {
    {"++", kind::increment},   {"--", kind::decrement},    {"&&", kind::logical_and}, {"||", kind::logical_or},
    {"<=", kind::less_equal},  {"==", kind::equal},        {"!=", kind::not_equal},   {">=", kind::greater_equal},
    {">>", kind::shift_right}, {"<<", kind::shift_left},   {"+=", kind::plus_equal},  {"-=", kind::minus_equal},
    {"*=", kind::times_equal}, {"/=", kind::divide_equal}, {"!~", kind::no_match},
};

constexpr std::string_view one_character_tokens = "{}()*+-/%><=;!&.|~,";

class lexer {
  public:
    lexer(const source& from, std::vector<token>& tokens, diagnostics& messages)
        : from_(from), rest_(from.text), tokens_(tokens), messages_(messages) {}

    bool run() {
        while (skip_blank() && !rest_.empty()) {
            if (!read_token()) {
                return false;
            }
        }
        if (messages_.failed()) {
            return false;
        }
        add(kind::end, 0);
        return true;
    }

  private:
    token& add(kind what, std::size_t size) {
        token& t = tokens_.emplace_back();
        t.what = what;
        t.text = rest_.substr(0, size);
        t.from = &from_;
        rest_.remove_prefix(size);
        return t;
    }

    bool error(kind what, std::size_t size, std::string_view text) {
        std::string message(text);
        messages_.print("{}", message);
        messages_.where(add(what, size));
        return false;
    }

    bool skip_blank() {
        while (!rest_.empty()) {
            if (base::is_space(rest_.front())) {
                rest_.remove_prefix(1);
            } else if (rest_.front() == '#' || rest_.starts_with("//")) {
                rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
            } else if (rest_.starts_with("/*")) {
                if (!skip_comment()) {
                    return false;
                }
            } else {
                return true;
            }
        }
        return true;
    }

    bool skip_comment() {
        std::size_t end = rest_.find("*/", 2);
        std::size_t inner = rest_.find("/*", 2);
        if (inner != std::string_view::npos && inner < end) {
            messages_.print("/* ... */ comment contains /*\n");
            std::string_view outer = rest_;
            messages_.where(add(kind::end, 2));
            rest_ = outer.substr(inner);
            messages_.where(add(kind::end, 2));
            return false;
        }
        if (end == std::string_view::npos) {
            return error(kind::end, 2, "Unterminated /* ... */ comment, starting at\n");
        }
        rest_.remove_prefix(end + 2);
        return true;
    }

    bool read_token() {
        char c = rest_.front();
        if (c == ':') {
            return read_blob();
        }
        for (const delimiter& d : delimiters) {
            if (rest_.starts_with(d.open)) {
                return read_delimited(d);
            }
        }
        for (const fixed& f : two_character_tokens) {
            if (rest_.starts_with(f.text)) {
                add(f.what, 2);
                return true;
            }
        }
        if (one_character_tokens.find(c) != std::string_view::npos) {
            add(punct(c), 1);
            return true;
        }
        if (is_name_start(c)) {
            std::size_t size = 1;
            while (size < rest_.size() && is_name_char(rest_[size])) {
                ++size;
            }
            add(kind::name, size);
            return true;
        }
        return base::is_digit(c) ? read_number() : error(kind::end, 1, "Syntax error at\n");
    }

    bool read_delimited(const delimiter& d) {
        std::size_t close = rest_.find(d.close, d.open.size());
        if (close != std::string_view::npos && !d.lines && rest_.find_first_of("\r\n", d.open.size()) < close) {
            close = std::string_view::npos;
        }
        if (close == std::string_view::npos) {
            return error(kind::end, d.open.size(), fmt::format("Unterminated {}, starting at\n", d.name));
        }
        std::string_view inside = rest_.substr(d.open.size(), close - d.open.size());
        add(d.what, close + d.close.size()).string = inside;
        return true;
    }

    std::size_t digits_from(std::size_t at) const {
        std::size_t end = at;
        while (end < rest_.size() && base::is_digit(rest_[end])) {
            ++end;
        }
        return end - at;
    }

    bool read_number() {
        std::size_t whole = digits_from(0);
        if (whole >= rest_.size() || rest_[whole] != '.') {
            if (whole > most_digits) {
                return error(kind::integer, whole, "Too many digits for integer.\n");
            }
            token& t = add(kind::integer, whole);
            t.number = std::strtod(std::string(t.text).c_str(), nullptr);
            return true;
        }
        std::size_t fraction = digits_from(whole + 1);
        if (whole > most_whole_digits || fraction > most_fraction_digits) {
            return error(kind::real, whole + 1 + fraction, "Too many digits for real.\n");
        }
        token& t = add(kind::real, whole + 1 + fraction);
        t.number = std::strtod(std::string(t.text).c_str(), nullptr);
        return true;
    }

    bool read_blob() {
        std::size_t end = 1;
        while (end < rest_.size() && is_base64_char(rest_[end])) {
            ++end;
        }
        std::size_t padding = end;
        while (padding < rest_.size() && padding - end < 2 && rest_[padding] == '=') {
            ++padding;
        }
        if (padding >= rest_.size()) {
            return error(kind::blob, rest_.size(), "Missing colon at end of BLOB:\n");
        }
        bool closed = rest_[padding] == ':';
        if (closed && (padding - 1) % 4 != 0) {
            return error(kind::blob, padding + 1, "BLOB must have n*4 base64 characters\n");
        }
        if (rest_[padding] == '=') {
            return error(kind::blob, padding + 1, "Wrong padding ('=') in BLOB:\n");
        }
        if (!closed) {
            return error(kind::blob, padding + 1, "Illegal BLOB character:\n");
        }
        std::string_view inside = rest_.substr(1, padding - 1);
        add(kind::blob, padding + 1).string = inside;
        return true;
    }

    const source& from_;
    std::string_view rest_;
    std::vector<token>& tokens_;
    diagnostics& messages_;
};

} // namespace

bool is_name_start(char c) noexcept {
    return base::is_alpha(c);
}

bool is_name_char(char c) noexcept {
    return base::is_alnum(c) || c == '_' || c == '-';
}

bool lex(const source& from, std::vector<token>& tokens, diagnostics& messages) {
    constexpr std::size_t characters_a_token =
        4; // or more: growing while reading costs more than room that is not used
    tokens.reserve(tokens.size() + from.text.size() / characters_a_token + 1);
    return lexer(from, tokens, messages).run();
}

} // namespace clearcoat::vcl::syntax
