// Calls of module functions, methods and constructors: positional, named, optional and missing arguments; and the
// conversions a wanted type brings.
#include "vcl/syntax/parser.hpp"

#include <algorithm>

namespace clearcoat::vcl::syntax {

namespace {

using enum vcl::type;

constexpr bool has_text(vcl::type t) noexcept {
    switch (t) {
    case body:
    case http:
    case instance:
    case probe:
    case regex:
    case sub:
    case none:
        return false;
    default:
        return true;
    }
}

constexpr vcl::type shown(vcl::type t) noexcept {
    return t == strands ? string : t;
}

} // namespace

std::string parser::shown_type(const expression& e) const {
    if (e.type == instance && e.made_by != nullptr) {
        return fmt::format("{}.{}", tree_.modules[e.module].name, e.made_by->name);
    }
    return std::string(name_of(shown(e.type)));
}

expression_ptr parser::to_string(expression_ptr e) {
    if (e->type == string) {
        return e;
    }
    if (!has_text(e->type)) {
        messages_.print("Cannot convert {} to STRING.\n", shown_type(*e));
        if (e->written != nullptr) {
            messages_.where(*e->written, previous());
        } else {
            messages_.where(current());
        }
        return nullptr;
    }
    if (e->what == form::header) {
        e->type = string;
        return e;
    }
    auto text = std::make_unique<expression>();
    text->what = form::to_text;
    text->type = string;
    text->written = e->written;
    text->parts.push_back(std::move(e));
    return text;
}

expression_ptr parser::to_boolean(expression_ptr e) {
    if (e->type != backend && e->type != integer && e->type != duration && e->type != string) {
        return e;
    }
    auto b = std::make_unique<expression>();
    b->what = form::to_boolean;
    b->type = boolean;
    b->written = e->written;
    b->parts.push_back(std::move(e));
    return b;
}

bool parser::report_type(std::string_view found, vcl::type wanted, std::size_t first) {
    messages_.print("Expression has type {}, expected {}\n", found, name_of(shown(wanted)));
    messages_.where(tokens_[first], previous());
    return false;
}

expression_ptr parser::check_type(expression_ptr e, vcl::type wanted, std::size_t first) {
    if (e->type != wanted) {
        report_type(shown_type(*e), wanted, first);
        return nullptr;
    }
    return e;
}

expression_ptr parser::parse_typed(vcl::type wanted) {
    std::size_t first = at_;
    bool text = wanted == string || wanted == strands;
    expression_ptr e = parse_or(text ? string : wanted);
    if (e == nullptr || e->type == wanted) {
        return e;
    }
    if (text || (wanted == body && e->type != blob)) {
        std::string found = shown_type(*e);
        e = to_string(std::move(e));
        if (e == nullptr) {
            report_type(found, wanted, first);
        }
        return e;
    }
    if (wanted == body) {
        return e;
    }
    if (wanted == boolean) {
        e = to_boolean(std::move(e));
    }
    return check_type(std::move(e), wanted, first);
}

bool parser::parse_argument(const vcl::argument_info& a, std::size_t index, expression& call) {
    if (a.kind == enumeration) {
        if (!expect(kind::name)) {
            return false;
        }
        auto word = std::find(a.words.begin(), a.words.end(), current().text);
        if (word == a.words.end()) {
            messages_.print("Wrong enum value.  Expected one of:\n");
            for (const std::string& w : a.words) {
                messages_.print("\t{}\n", w);
            }
            messages_.where(current());
            return false;
        }
        auto e = std::make_unique<expression>();
        e->what = form::word;
        e->type = enumeration;
        e->text = *word;
        call.parts[index] = std::move(e);
        advance();
    } else {
        call.parts[index] = parse_typed(a.kind);
        if (call.parts[index] == nullptr) {
            return false;
        }
    }
    call.given |= 1ULL << index;
    return true;
}

bool parser::positional_arguments(const vcl::function_info& f, expression& call) {
    for (std::size_t i = 0; i < f.arguments.size(); ++i) {
        if (current().is(')') || (current().is(kind::name) && peek().is('='))) {
            break;
        }
        const vcl::argument_info& a = f.arguments[i];
        if (!parse_argument(a, i, call)) {
            messages_.print("Expected argument: {} {}\n\n", name_of(a.kind),
                            a.name.empty() ? "(unnamed argument)" : a.name);
            return false;
        }
        if (current().is(')')) {
            break;
        }
        if (!skip(',')) {
            return false;
        }
    }
    return true;
}

bool parser::named_arguments(const vcl::function_info& f, expression& call) {
    while (current().is(kind::name)) {
        int index = f.argument_index(current().text);
        if (index < 0) {
            messages_.print("Unknown argument '{}'\n", current().text);
            messages_.where(current());
            return false;
        }
        if (call.parts[static_cast<std::size_t>(index)] != nullptr) {
            messages_.print("Argument '{}' already used\n", current().text);
            messages_.where(current());
            return false;
        }
        advance();
        if (!skip('=') ||
            !parse_argument(f.arguments[static_cast<std::size_t>(index)], static_cast<std::size_t>(index), call)) {
            return false;
        }
        if (current().is(')')) {
            break;
        }
        if (!skip(',')) {
            return false;
        }
    }
    return true;
}

bool parser::complete_arguments(const vcl::function_info& f, expression& call) {
    for (std::size_t i = 0; i < f.arguments.size(); ++i) {
        const vcl::argument_info& a = f.arguments[i];
        if (call.parts[i] != nullptr) {
            continue;
        }
        if (a.has_default || a.optional) {
            auto e = std::make_unique<expression>();
            e->what = a.has_default ? form::default_value : form::absent;
            e->type = a.kind;
            e->function = &f;
            e->index = static_cast<std::uint32_t>(i);
            call.parts[i] = std::move(e);
        } else if (!a.name.empty()) {
            messages_.print("Argument '{}' missing\n", a.name);
            messages_.where(current());
        } else {
            messages_.print("Argument {} missing\n", i + 1);
            messages_.where(current());
        }
    }
    return !messages_.failed();
}

expression_ptr parser::parse_arguments(const vcl::function_info& f, const sema::symbol& s) {
    const token& before = previous();
    if (!skip('(')) {
        return nullptr;
    }
    auto call = std::make_unique<expression>();
    call->what = form::native;
    call->type = f.result;
    call->function = &f;
    call->module = s.module;
    call->parts.resize(f.arguments.size());
    if (!positional_arguments(f, *call) || !named_arguments(f, *call) || !complete_arguments(f, *call) || !skip(')')) {
        return nullptr;
    }
    add_use(before, before, s, sema::use_kind::read);
    return call;
}

} // namespace clearcoat::vcl::syntax
