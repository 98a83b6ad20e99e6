// Blocks and the statements in them, but for return and new.
#include "vcl/syntax/parser.hpp"

namespace clearcoat::vcl::syntax {

using sema::symbol;
using sema::symbol_kind;
using sema::verb;

namespace {

constexpr unsigned deepest_nesting = 200;

statement& append(statement_list& into, statement_form what) {
    auto s = std::make_unique<statement>();
    s->what = what;
    into.push_back(std::move(s));
    return *into.back();
}

} // namespace

bool parser::parse_block(statement_list& into) {
    if (!skip('{')) {
        return false;
    }
    if (++depth_ > deepest_nesting) {
        return error_here("Blocks are nested too deep.\n");
    }
    add_point(into);
    while (!current().is('}')) {
        if (!parse_statement(into)) {
            return false;
        }
    }
    advance();
    --depth_;
    return true;
}

bool parser::parse_statement(statement_list& into) {
    const token& t = current();
    if (t.is('{')) {
        return parse_block(append(into, statement_form::block).body);
    }
    if (t.is(kind::inline_c)) {
        return parse_declaration();
    }
    if (t.is(kind::end)) {
        messages_.print("End of input while in compound statement\n");
        messages_.set_failed();
        return false;
    }
    if (!t.is(kind::name)) {
        return error_here("Expected an action, 'if', '{' or '}'\n");
    }
    std::size_t first = at_;
    symbol* s = lookup(symbol_kind::none, {.partial = true}, reference::none);
    if (s == nullptr) {
        return error_here("Symbol not found.\n");
    }
    if (s->verb == verb::none) {
        return error_here("Symbol cannot be used here.\n");
    }
    if (s->verb_allowed != 0) {
        add_use(t, t, *s, sema::use_kind::statement);
    }
    return parse_verb(*s, first, into);
}

bool parser::parse_verb(symbol& s, std::size_t first, statement_list& into) {
    switch (s.verb) {
    case verb::ban:
        return parse_ban(into);
    case verb::call:
        return parse_call(into);
    case verb::hash_data:
        return parse_strings_statement(statement_form::hash_data, into);
    case verb::synthetic:
        return parse_strings_statement(statement_form::synthetic, into);
    case verb::branch:
        return parse_if(into);
    case verb::make:
        return parse_new(into);
    case verb::finish:
        return parse_return(into);
    case verb::set:
        return parse_set(into);
    case verb::unset:
        return parse_unset(into);
    case verb::method:
        return parse_method_statement(first, s, into);
    default:
        return parse_native_statement(s, first, into);
    }
}

bool parser::parse_condition(statement& branch) {
    if (!skip('(')) {
        return false;
    }
    branch.first = parse_typed(vcl::type::boolean);
    return branch.first != nullptr && skip(')') && parse_block(branch.body);
}

bool parser::parse_if(statement_list& into) {
    statement* branch = &append(into, statement_form::branch);
    if (!parse_condition(*branch)) {
        return false;
    }
    while (current().is(kind::name)) {
        if (current().is_name("else")) {
            advance();
            if (current().is('{')) {
                return parse_block(branch->else_part);
            }
            if (!current().is_name("if")) {
                return error_here("'else' must be followed by 'if' or '{'\n");
            }
        } else if (!current().is_name("elseif") && !current().is_name("elsif") && !current().is_name("elif")) {
            break;
        }
        advance();
        branch = &append(branch->else_part, statement_form::branch);
        if (!parse_condition(*branch)) {
            return false;
        }
    }
    add_point(into);
    return true;
}

bool parser::parse_call(statement_list& into) {
    if (!expect(kind::name)) {
        return false;
    }
    std::size_t first = at_;
    symbol* s = lookup(symbol_kind::none, {.quiet = true, .partial = true}, reference::refers);
    if (s == nullptr && messages_.failed()) {
        return false;
    }
    if (s == nullptr) {
        s = lookup(symbol_kind::sub, {.create = true}, reference::refers);
        if (s == nullptr) {
            return false;
        }
        make_handle(*s, vcl::type::sub);
    }
    if (s->kind == symbol_kind::sub) {
        procedure_->calls.push_back({s, &tokens_[first]});
        append(into, statement_form::call).named = s;
        return skip(';');
    }
    at_ = first;
    expression_ptr target = parse_typed(vcl::type::sub);
    if (target == nullptr) {
        return false;
    }
    append(into, statement_form::call_value).first = std::move(target);
    return skip(';');
}

bool parser::parse_unset(statement_list& into) {
    if (!expect(kind::name)) {
        return false;
    }
    std::size_t first = at_;
    symbol* s = lookup(symbol_kind::variable, {}, reference::none);
    if (s == nullptr) {
        return false;
    }
    if (s->unsettable == 0) {
        messages_.where(tokens_[first], previous());
        messages_.print("Variable cannot be unset.\n");
        return false;
    }
    add_use(tokens_[first], previous(), *s, sema::use_kind::unset);
    expression_ptr target = read_variable(*s, first);
    statement& u = append(into, target->what == form::header ? statement_form::unset_header : statement_form::unset);
    u.index = target->index;
    u.header = target->header;
    return skip(';');
}

bool parser::parse_ban(statement_list& into) {
    if (!skip('(')) {
        return false;
    }
    expression_ptr text = parse_typed(vcl::type::string);
    if (text == nullptr) {
        return false;
    }
    append(into, statement_form::ban).first = std::move(text);
    return skip(')') && skip(';');
}

bool parser::parse_strings_statement(statement_form what, statement_list& into) {
    if (!skip('(')) {
        return false;
    }
    expression_ptr text = parse_typed(vcl::type::strands);
    if (text == nullptr) {
        return false;
    }
    append(into, what).first = std::move(text);
    return skip(')') && skip(';');
}

bool parser::parse_native_statement(symbol& s, std::size_t first, statement_list& into) {
    expression_ptr called = parse_native(s);
    if (called == nullptr) {
        if (at_ != first) {
            messages_.print("While compiling function call:\n\n");
            messages_.where(tokens_[first], previous());
        }
        return false;
    }
    append(into, statement_form::evaluate).first = std::move(called);
    return skip(';');
}

bool parser::parse_method_statement(std::size_t first, const symbol& s, statement_list& into) {
    if (!expect('.')) {
        return false;
    }
    at_ = first;
    expression_ptr called = parse_operand(s.type);
    if (called == nullptr) {
        return false;
    }
    append(into, statement_form::evaluate).first = std::move(called);
    return skip(';');
}

} // namespace clearcoat::vcl::syntax
