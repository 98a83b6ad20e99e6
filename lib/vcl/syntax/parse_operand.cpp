// Operands: literals, names, and what can stand behind a dot.
#include "vcl/syntax/parser.hpp"

#include "base/ascii.hpp"

namespace clearcoat::vcl::syntax {

using sema::meaning;
using sema::symbol;
using sema::symbol_kind;

namespace {

using enum vcl::type;

struct property_row {
    vcl::type of;
    std::string_view name;
    property_name id;
    vcl::type type;
    bool call; // written with ()
};

constexpr property_row properties[] = {
    {string, "upper", property_name::upper, string, true},
    {string, "lower", property_name::lower, string, true},
    {backend, "resolve", property_name::resolve, backend, true},
    {stevedore, "free_space", property_name::free_space, bytes, false},
    {stevedore, "used_space", property_name::used_space, bytes, false},
    {stevedore, "happy", property_name::happy, boolean, false},
};

/// Types whose names may be used before they are defined.
constexpr bool is_handle(vcl::type t) noexcept {
    return t == acl || t == backend || t == probe || t == sub || t == instance;
}

expression_ptr make(form what, vcl::type type) {
    auto e = std::make_unique<expression>();
    e->what = what;
    e->type = type;
    return e;
}

} // namespace

expression_ptr parser::parse_operand(vcl::type wanted) {
    expression_ptr e = parse_atom(wanted);
    while (e != nullptr && current().is('.')) {
        advance();
        if (!expect(kind::name)) {
            return nullptr;
        }
        e = e->made_by != nullptr && e->function == nullptr ? parse_method(std::move(e)) : parse_property(std::move(e));
    }
    return e;
}

expression_ptr parser::parse_method(expression_ptr left) {
    const vcl::function_info* method = left->made_by->find_method(current().text);
    if (method == nullptr) {
        messages_.print("Unknown property '{}' for type {}.{}\n", current().text, tree_.modules[left->module].name,
                        left->made_by->name);
        messages_.where(current());
        return nullptr;
    }
    // Uses are checked when all is read, so the symbol is kept beside the others, under a name nobody can write.
    symbol& kept = symbols_.add(symbols_.child(symbols_.root(), ""), symbol_kind::method, 0, 0);
    kept.readable = static_cast<tables::sub_set>(method->allowed.bits());
    kept.module = left->module;
    kept.uncounted = true;
    advance();
    expression_ptr e = parse_arguments(*method, kept);
    if (e != nullptr) {
        e->object = static_cast<std::int32_t>(left->index);
        e->made_by = left->made_by;
        e->module = left->module;
    }
    return e;
}

expression_ptr parser::parse_property(expression_ptr left) {
    for (const property_row& row : properties) {
        if (row.of != left->type || !base::equal_nocase(row.name, current().text)) {
            continue;
        }
        advance();
        if (row.call && (!skip('(') || !skip(')'))) {
            return nullptr;
        }
        expression_ptr e = make(form::property, row.type);
        e->property = row.id;
        e->parts.push_back(std::move(left));
        return e;
    }
    messages_.print("Unknown property '{}' for type {}\n", current().text,
                    left->type == string ? "STRINGS" : name_of(left->type));
    messages_.where(current());
    return nullptr;
}

expression_ptr parser::parse_atom(vcl::type wanted) {
    const token& t = current();
    if (t.is('(')) {
        advance();
        expression_ptr inner = parse_or(wanted);
        return inner != nullptr && skip(')') ? std::move(inner) : nullptr;
    }
    switch (t.what) {
    case kind::name:
        return parse_named(wanted);
    case kind::string:
        return parse_string(wanted);
    case kind::integer:
    case kind::real:
        return parse_number(wanted, false);
    case kind::blob:
        return parse_blob();
    default:
        break;
    }
    if (t.is('-') && (wanted == integer || wanted == real || wanted == duration || wanted == string)) {
        advance();
        if (current().is(kind::integer) || current().is(kind::real)) {
            return parse_number(wanted, true);
        }
        expression_ptr inner = parse_or(wanted);
        if (inner == nullptr) {
            return nullptr;
        }
        if (inner->type != integer && inner->type != real && inner->type != duration && inner->type != bytes &&
            inner->type != time) {
            // The reference hands such a negation to its C compiler, which refuses it.
            messages_.print("Operator - not possible on {}\n", shown_type(*inner));
            messages_.where(t);
            return nullptr;
        }
        expression_ptr e = make(form::negate, inner->type);
        e->parts.push_back(std::move(inner));
        return e;
    }
    messages_.print("Unknown token ");
    messages_.token_name(t);
    messages_.print(" when looking for {}\n\n", name_of(wanted == strands ? string : wanted));
    messages_.where(t);
    return nullptr;
}

expression_ptr parser::parse_named(vcl::type wanted) {
    std::size_t first = at_;
    bool dotted = peek().is('.');
    symbol* s = lookup(symbol_kind::none, {.quiet = true, .partial = true}, reference::refers);
    if (s == nullptr && !messages_.failed() && is_handle(wanted) && !dotted) {
        s = lookup(symbol_kind::none, {.create = true}, reference::refers);
        if (s != nullptr) {
            make_handle(*s, wanted);
        }
    }
    if (s == nullptr && !messages_.failed()) {
        lookup(symbol_kind::none, {.partial = true}, reference::refers);
    }
    if (s == nullptr || messages_.failed()) {
        return nullptr;
    }
    if (s->kind == symbol_kind::instance) {
        expression_ptr e = make(form::absent, instance);
        e->made_by = s->object;
        e->index = s->index;
        e->module = s->module;
        return e;
    }
    if (s->kind == symbol_kind::function && s->type == none) {
        error_here("Function returns VOID:\n");
        return nullptr;
    }
    if (s->meaning != meaning::none && !s->wildcard) {
        expression_ptr e = evaluate(*s, first, wanted);
        if (e == nullptr) {
            messages_.print("While compiling function call:\n\n");
            messages_.where(tokens_[first], previous());
            return nullptr;
        }
        return e->type == header && wanted != header ? to_string(std::move(e)) : std::move(e);
    }
    messages_.print("Symbol '{}' type ({}) can not be used in expression.\n", tokens_[first].text, name_of(s->kind));
    messages_.where(tokens_[first]);
    if (s->defined != nullptr) {
        error_at(*s->defined, "That symbol was defined here:\n");
    }
    return nullptr;
}

expression_ptr parser::evaluate(symbol& s, std::size_t first, vcl::type wanted) {
    switch (s.meaning) {
    case meaning::variable: {
        add_use(tokens_[first], tokens_[first], s, sema::use_kind::read);
        return read_variable(s, first);
    }
    case meaning::storage: {
        add_use(tokens_[first], tokens_[first], s, sema::use_kind::read);
        expression_ptr e = make(form::storage, stevedore);
        e->text = s.name;
        return e;
    }
    case meaning::true_constant:
    case meaning::false_constant: {
        expression_ptr e = make(form::boolean, boolean);
        e->constant = true;
        e->integer = s.meaning == meaning::true_constant ? 1 : 0;
        return e;
    }
    case meaning::regsub:
        return parse_substitution(false);
    case meaning::regsuball:
        return parse_substitution(true);
    case meaning::default_handle:
        return default_handle(tokens_[first], wanted);
    case meaning::handle:
        return read_handle(s, wanted);
    default:
        return parse_native(s);
    }
}

expression_ptr parser::parse_native(symbol& s) {
    if (s.kind == symbol_kind::method) {
        messages_.print("Syntax error."); // a method belongs to an object, not to the module's type
        messages_.set_failed();
        return nullptr;
    }
    return parse_arguments(*s.function, s);
}

expression_ptr parser::read_variable(const symbol& s, std::size_t) {
    expression_ptr e = make(form::variable, s.type);
    e->index = s.row == nullptr ? 0 : static_cast<std::uint32_t>(s.row->id);
    if (s.type == header || s.type == http) {
        e->what = s.type == header ? form::header : form::message;
        std::string_view family = s.row->name.substr(0, s.row->name.find('.'));
        constexpr std::pair<std::string_view, vcl::message> messages[] = {{"req", vcl::message::req},
                                                                          {"req_top", vcl::message::req_top},
                                                                          {"bereq", vcl::message::bereq},
                                                                          {"beresp", vcl::message::beresp},
                                                                          {"obj", vcl::message::obj},
                                                                          {"resp", vcl::message::resp},
                                                                          {"obj_stale", vcl::message::obj_stale}};
        for (const auto& [name, where] : messages) {
            if (name == family) {
                e->header.where = where;
            }
        }
        e->header.name = s.name;
    }
    return e;
}

expression_ptr parser::read_handle(symbol& s, vcl::type wanted) {
    if (s.type == sub && wanted != sub) {
        messages_.print("Symbol '{}' can only be used as a SUB expression\n", s.name);
        messages_.where(current());
        return nullptr;
    }
    if (s.type == probe && wanted == string) {
        expression_ptr e = make(form::text, string);
        e->text = s.name;
        e->literal = true;
        e->constant = true;
        return e;
    }
    form what = s.type == acl       ? form::acl
                : s.type == backend ? form::backend
                : s.type == probe   ? form::probe
                                    : form::sub;
    expression_ptr e = make(what, s.type);
    e->named = &s;
    return e;
}

expression_ptr parser::default_handle(const token& place, vcl::type wanted) {
    if (wanted == backend) {
        return make(form::default_backend, backend);
    }
    if (wanted != probe) {
        error_at(place, "Symbol 'default' is a reserved word.\n");
        return nullptr;
    }
    if (!tree_.default_probe) {
        messages_.print("No default probe defined\n");
        messages_.token_name(current());
        error_here(" at\n");
        return nullptr;
    }
    expression_ptr e = make(form::probe, probe);
    e->index = *tree_.default_probe;
    return e;
}

} // namespace clearcoat::vcl::syntax
