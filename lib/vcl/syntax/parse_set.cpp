// The set statement: which operators each type of variable has.
#include "vcl/syntax/parser.hpp"

namespace clearcoat::vcl::syntax {

namespace {

struct assignment {
    vcl::type target;
    kind oper;
    vcl::type operand;
    char arithmetic = 0;
};

using enum vcl::type;

constexpr assignment assignments[] = {
    {integer, kind::plus_equal, integer, '+'},
    {integer, kind::minus_equal, integer, '-'},
    {integer, kind::times_equal, integer, '*'},
    {integer, kind::divide_equal, integer, '/'},
    {integer, punct('='), integer},
    {time, kind::plus_equal, duration, '+'},
    {time, kind::minus_equal, duration, '-'},
    {time, kind::times_equal, real, '*'},
    {time, kind::divide_equal, real, '/'},
    {time, punct('='), time},
    {duration, kind::plus_equal, duration, '+'},
    {duration, kind::minus_equal, duration, '-'},
    {duration, kind::times_equal, real, '*'},
    {duration, kind::divide_equal, real, '/'},
    {duration, punct('='), duration},
    {string, kind::plus_equal, strands, '+'},
    {string, punct('='), strands},
    {header, kind::plus_equal, strands, '+'},
    {header, punct('='), strands},
    {body, punct('='), body},
    {body, kind::plus_equal, body, '+'},
};

expression_ptr join(expression_ptr a, expression_ptr b) {
    auto e = std::make_unique<expression>();
    e->what = form::join;
    e->type = string;
    e->parts.push_back(std::move(a));
    e->parts.push_back(std::move(b));
    return e;
}

} // namespace

expression_ptr parser::assigned_value(const sema::symbol& s, const expression& target) {
    const assignment* a = nullptr;
    for (const assignment& row : assignments) {
        if (row.target == s.type && current().is(row.oper)) {
            a = &row;
        }
    }
    vcl::type wanted = a == nullptr ? s.type : a->operand;
    if (a != nullptr) {
        advance();
    } else if (!skip('=')) {
        return nullptr;
    }
    expression_ptr value = parse_typed(wanted);
    if (value == nullptr || a == nullptr || a->arithmetic == 0 || s.type == body) {
        return value;
    }
    auto old = std::make_unique<expression>();
    old->what = target.what;
    old->type = s.type;
    old->index = target.index;
    old->header = target.header;
    if (s.type == string || s.type == header) {
        old->type = string;
        return join(std::move(old), std::move(value));
    }
    auto e = std::make_unique<expression>();
    e->what = form::arithmetic;
    e->type = s.type;
    e->oper = punct(a->arithmetic);
    e->parts.push_back(std::move(old));
    e->parts.push_back(std::move(value));
    return e;
}

bool parser::parse_set(statement_list& into) {
    if (!expect(kind::name)) {
        return false;
    }
    std::size_t first = at_;
    sema::symbol* s = lookup(sema::symbol_kind::variable, {}, reference::none);
    if (s == nullptr) {
        return false;
    }
    add_use(tokens_[first], previous(), *s, sema::use_kind::write);
    expression_ptr target = read_variable(*s, first);
    bool append = current().is(kind::plus_equal);
    expression_ptr value = assigned_value(*s, *target);
    if (value == nullptr) {
        return false;
    }
    auto node = std::make_unique<statement>();
    node->what = target->what == form::header ? statement_form::set_header
                 : s->type == body            ? statement_form::set_body
                                              : statement_form::set;
    node->index = target->index;
    node->header = target->header;
    node->append = append;
    node->first = std::move(value);
    into.push_back(std::move(node));
    return skip(';');
}

} // namespace clearcoat::vcl::syntax
