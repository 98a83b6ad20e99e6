#include "vcl/module.hpp"

#include "base/ascii.hpp"
#include "base/panic.hpp"

#include <array>
#include <charconv>
#include <cstdlib>

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

/// Once the argument stays where it is: a string's value refers into it.
void set_default_value(argument_info& a) {
    switch (a.kind) {
    case type::boolean:
        a.default_value = value::of(a.default_text != "0");
        break;
    case type::integer:
    case type::bytes:
        a.default_value = value::of_integer(std::strtoll(a.default_text.c_str(), nullptr, 10));
        break;
    case type::real:
    case type::duration:
    case type::time:
        a.default_value = value::of_real(std::strtod(a.default_text.c_str(), nullptr));
        break;
    case type::string:
    case type::enumeration:
        // An unquoted 0 stands for the undefined string.
        if (!a.default_is_word || a.kind == type::enumeration) {
            a.default_value = value::of(std::string_view(a.default_text));
        }
        break;
    default:
        break; // 0: none
    }
}

std::string_view word_of(type t) noexcept {
    for (const type_word& w : type_words) {
        if (w.kind == t) {
            return w.word;
        }
    }
    return "VOID";
}

std::string describe(const argument_info& a) {
    std::string text(word_of(a.kind));
    if (a.kind == type::enumeration) {
        text += " {";
        for (const std::string& w : a.words) {
            text += (&w == a.words.data() ? "" : ", ") + w;
        }
        text += "}";
    }
    if (!a.name.empty()) {
        text += " " + a.name;
    }
    if (a.has_default) {
        text += a.default_is_word ? "=" + a.default_text : "=\"" + a.default_text + "\"";
    }
    return a.optional ? "[" + text + "]" : text;
}

std::string describe(const function_info& f, std::string_view head) {
    std::string text = std::string(head) + f.name + "(";
    for (const argument_info& a : f.arguments) {
        text += (&a == f.arguments.data() ? "" : ", ") + describe(a);
    }
    return text + ")";
}

void finish(function_info& f, std::string_view prefix) {
    for (argument_info& a : f.arguments) {
        if (a.has_default) {
            set_default_value(a);
        }
    }
    f.signature = describe(f, prefix);
}

void fill_functions(std::vector<function_info>& to, std::span<const function_row> rows, std::string_view prefix) {
    to.reserve(rows.size());
    for (const function_row& row : rows) {
        function_info& f = to.emplace_back(signature_parser(row.signature).parse(true));
        f.native = row.native;
        f.allowed = row.allowed;
        finish(f, std::string(word_of(f.result)) + " " + std::string(prefix));
    }
}

void fill_object(object_info& to, const object_row& row, std::string_view module_name) {
    to.constructor = signature_parser(row.signature).parse(false);
    to.constructor.result = type::instance;
    to.constructor.allowed = row.allowed;
    to.name = to.constructor.name;
    to.native = row.native;
    finish(to.constructor, "new x" + to.name + " = " + std::string(module_name) + ".");
    fill_functions(to.methods, row.methods, "x" + to.name + ".");
}

template<class T>
const T* find_by_name(const std::vector<T>& rows, std::string_view name) noexcept {
    for (const T& row : rows) {
        if (row.name == name) {
            return &row;
        }
    }
    return nullptr;
}

} // namespace

std::string_view call::join(const strand_list& list) const noexcept {
    if (list.count == 1 && list.parts[0].data() != nullptr) {
        return list.parts[0];
    }
    std::size_t size = 0;
    for (std::size_t i = 0; i < list.count; ++i) {
        size += list.parts[i].size();
    }
    if (size == 0) {
        return "";
    }
    auto* room = static_cast<char*>(workspace().allocate(size + 1, 1));
    if (room == nullptr) {
        return {};
    }
    char* to = room;
    for (std::size_t i = 0; i < list.count; ++i) {
        to += list.parts[i].copy(to, list.parts[i].size());
    }
    *to = '\0';
    return {room, size};
}

int function_info::argument_index(std::string_view argument_name) const noexcept {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].name == argument_name && !argument_name.empty()) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

const function_info* object_info::find_method(std::string_view method_name) const noexcept {
    return find_by_name(methods, method_name);
}

const function_info* module_info::find_function(std::string_view function_name) const noexcept {
    return find_by_name(functions, function_name);
}

const object_info* module_info::find_object(std::string_view type_name) const noexcept {
    return find_by_name(objects, type_name);
}

std::shared_ptr<const module_info> make_module(const module_row& row) {
    auto m = std::make_shared<module_info>();
    m->name = row.name;
    m->summary = row.summary;
    m->event = row.event;
    m->test_only = row.test_only;
    fill_functions(m->functions, row.functions, m->name + ".");
    m->objects.resize(row.objects.size());
    for (std::size_t i = 0; i < row.objects.size(); ++i) {
        fill_object(m->objects[i], row.objects[i], m->name);
    }
    return m;
}

const module_info* module_catalog::find(std::string_view name) const noexcept {
    auto found = modules_.find(name);
    return found == modules_.end() ? nullptr : found->second.get();
}

void module_catalog::add(std::shared_ptr<const module_info> m) {
    std::string name = m->name;
    modules_.insert_or_assign(std::move(name), std::move(m));
}

} // namespace clearcoat::vcl
