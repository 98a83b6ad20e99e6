#include "vcl/signature.hpp"

#include "base/ascii.hpp"
#include "base/panic.hpp"

#include <array>

namespace clearcoat::vcl {

namespace {

struct type_word {
    std::string_view word;
    type kind;
};

constexpr std::array type_words{
    type_word{"VOID", type::none},   type_word{"BOOL", type::boolean},     type_word{"INT", type::integer},
    type_word{"REAL", type::real},   type_word{"BYTES", type::bytes},      type_word{"DURATION", type::duration},
    type_word{"TIME", type::time},   type_word{"STRING", type::string},    type_word{"STRANDS", type::strands},
    type_word{"IP", type::ip},       type_word{"HEADER", type::header},    type_word{"HTTP", type::http},
    type_word{"BODY", type::body},   type_word{"BACKEND", type::backend},  type_word{"ACL", type::acl},
    type_word{"PROBE", type::probe}, type_word{"BLOB", type::blob},        type_word{"SUB", type::sub},
    type_word{"REGEX", type::regex}, type_word{"ENUM", type::enumeration}, type_word{"STEVEDORE", type::stevedore},
};

struct private_word {
    std::string_view word;
    private_kind kind;
};

constexpr std::array private_words{
    private_word{"PRIV_CALL", private_kind::call},
    private_word{"PRIV_VCL", private_kind::vcl},
    private_word{"PRIV_TASK", private_kind::task},
    private_word{"PRIV_TOP", private_kind::top},
};

bool is_word_char(char c) noexcept {
    return base::is_alnum(c) || c == '_' || c == '.' || c == '-' || c == '+';
}

/// Reads one signature. Every failure is a mistake in a table, so there is no way back from it.
class signature_parser {
  public:
    explicit signature_parser(const char* signature) noexcept : whole_(signature), rest_(signature) {}

    function_info parse(bool with_result) {
        function_info f;
        f.result = with_result ? result_type() : type::none;
        f.name = word();
        expect('(');
        while (!accept(')')) {
            one_argument(f);
            if (!accept(',')) {
                expect(')');
                break;
            }
        }
        skip_blanks();
        require(rest_.empty());
        return f;
    }

  private:
    void require(bool condition) const noexcept {
        if (!condition) {
            base::panic(__FILE__, __LINE__, "bad module signature", whole_);
        }
    }

    void skip_blanks() noexcept {
        while (!rest_.empty() && base::is_space(rest_.front())) {
            rest_.remove_prefix(1);
        }
    }

    bool accept(char c) noexcept {
        skip_blanks();
        if (rest_.empty() || rest_.front() != c) {
            return false;
        }
        rest_.remove_prefix(1);
        return true;
    }

    void expect(char c) noexcept { require(accept(c)); }

    std::string_view word() noexcept {
        skip_blanks();
        std::size_t size = 0;
        while (size < rest_.size() && is_word_char(rest_[size])) {
            ++size;
        }
        require(size > 0);
        std::string_view result = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return result;
    }

    /// Whether a word comes next.
    bool at_word() noexcept {
        skip_blanks();
        return !rest_.empty() && is_word_char(rest_.front());
    }

    type type_named(std::string_view name) const noexcept {
        for (const type_word& t : type_words) {
            if (t.word == name) {
                return t.kind;
            }
        }
        require(false);
        return type::none;
    }

    type result_type() noexcept { return type_named(word()); }

    static private_kind private_named(std::string_view name) noexcept {
        for (const private_word& p : private_words) {
            if (p.word == name) {
                return p.kind;
            }
        }
        return private_kind::none;
    }

    void one_argument(function_info& f) {
        const bool optional = accept('[');
        const std::string_view first = word();
        if (const private_kind scope = private_named(first); scope != private_kind::none) {
            if (at_word()) {
                word();
            }
            f.privates.push_back(scope);
            return;
        }
        argument_info a;
        a.kind = type_named(first);
        a.optional = optional;
        if (a.kind == type::enumeration) {
            word_list(a);
        }
        if (at_word()) {
            a.name = word();
        }
        if (accept('=')) {
            default_of(a);
        }
        if (optional) {
            expect(']');
        }
        f.arguments.push_back(std::move(a));
    }

    void word_list(argument_info& a) {
        expect('{');
        do {
            a.words.emplace_back(word());
        } while (accept(','));
        expect('}');
    }

    void default_of(argument_info& a) {
        a.has_default = true;
        skip_blanks();
        if (rest_.front() == '"') {
            const std::size_t end = rest_.find('"', 1);
            require(end != std::string_view::npos);
            a.default_text = rest_.substr(1, end - 1);
            rest_.remove_prefix(end + 1);
        } else {
            a.default_text = word();
            a.default_is_word = true;
        }
    }

    const char* whole_;
    std::string_view rest_;
};

} // namespace

function_info parse_signature(const char* signature, bool with_result) {
    return signature_parser(signature).parse(with_result);
}

std::string_view word_of(type t) noexcept {
    for (const type_word& w : type_words) {
        if (w.kind == t) {
            return w.word;
        }
    }
    return "VOID";
}

} // namespace clearcoat::vcl
