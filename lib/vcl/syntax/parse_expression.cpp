// Expressions, from the loosest operator to the tightest.
#include "vcl/syntax/parser.hpp"

namespace clearcoat::vcl::syntax {

namespace {

using enum vcl::type;

constexpr unsigned deepest_expression = 400;

struct sum_row {
    char oper;
    vcl::type left;
    vcl::type right;
    vcl::type result;
};

constexpr sum_row sums[] = {
    {'+', bytes, bytes, bytes},          {'-', bytes, bytes, bytes},       {'+', duration, duration, duration},
    {'-', duration, duration, duration}, {'+', integer, integer, integer}, {'-', integer, integer, integer},
    {'+', integer, real, real},          {'-', integer, real, real},       {'+', real, integer, real},
    {'-', real, integer, real},          {'+', real, real, real},          {'-', real, real, real},
    {'-', time, time, duration},         {'+', time, duration, time},      {'-', time, duration, time},
};

/// The type a value of `t` is multiplied with; none when it cannot be.
constexpr vcl::type factor_of(vcl::type t) noexcept {
    return t == integer ? integer : t == bytes || t == duration || t == real ? real : none;
}

constexpr bool is_comparison(const token& t) noexcept {
    switch (t.what) {
    case kind::equal:
    case kind::not_equal:
    case kind::less_equal:
    case kind::greater_equal:
    case kind::no_match:
        return true;
    default:
        return t.is('<') || t.is('>') || t.is('~');
    }
}

constexpr bool is_match(const token& t) noexcept {
    return t.is('~') || t.is(kind::no_match);
}

constexpr bool is_ordering(const token& t) noexcept {
    return is_comparison(t) && !is_match(t) && !t.is(kind::equal) && !t.is(kind::not_equal);
}

constexpr bool ordered(vcl::type t) noexcept {
    return t == integer || t == duration || t == bytes || t == real || t == time || t == string;
}

constexpr bool comparable(vcl::type t) noexcept {
    return ordered(t) || t == backend || t == acl || t == probe || t == stevedore || t == sub || t == instance ||
           t == boolean || t == ip;
}

expression_ptr combine(form what, vcl::type type, expression_ptr a, expression_ptr b) {
    auto e = std::make_unique<expression>();
    e->what = what;
    e->type = type;
    e->written = a->written;
    e->parts.push_back(std::move(a));
    if (b != nullptr) {
        e->parts.push_back(std::move(b));
    }
    return e;
}

/// Strings one behind the other: literals that touch become one, as in C.
expression_ptr concatenate(expression_ptr a, expression_ptr b) {
    if (a->literal && b->constant && a->what == form::text && b->what == form::text) {
        a->text += b->text;
        a->literal = b->literal;
        return a;
    }
    if (a->what != form::join) {
        a = combine(form::join, string, std::move(a), nullptr);
    }
    if (b->what == form::join) {
        std::move(b->parts.begin(), b->parts.end(), std::back_inserter(a->parts));
    } else {
        a->parts.push_back(std::move(b));
    }
    return a;
}

} // namespace

expression_ptr parser::parse_or(vcl::type wanted) {
    if (++depth_ > deepest_expression) {
        error_here("Expression is nested too deep.\n");
        return nullptr;
    }
    expression_ptr e = parse_boolean_chain(wanted, true);
    --depth_;
    return e;
}

expression_ptr parser::parse_and(vcl::type wanted) {
    return parse_boolean_chain(wanted, false);
}

expression_ptr parser::parse_boolean_chain(vcl::type wanted, bool is_or) {
    kind ours = is_or ? kind::logical_or : kind::logical_and;
    std::string_view text = is_or ? "||" : "&&";
    std::size_t first = at_;
    auto operand = [&] { return is_or ? parse_and(wanted) : parse_not(wanted); };
    expression_ptr left = operand();
    if (left == nullptr || !current().is(ours)) {
        return left;
    }
    left = to_boolean(std::move(left));
    if (left->type != boolean) {
        messages_.print("'{}' must be preceeded by BOOL, found {}.\n", text, shown_type(*left));
        messages_.where(tokens_[first], previous());
        return nullptr;
    }
    expression_ptr chain = combine(is_or ? form::logical_or : form::logical_and, boolean, std::move(left), nullptr);
    while (current().is(ours)) {
        advance();
        first = at_;
        expression_ptr right = operand();
        if (right == nullptr) {
            return nullptr;
        }
        right = to_boolean(std::move(right));
        if (right->type != boolean) {
            messages_.print("'{}' must be followed by BOOL, found {}.\n", text, shown_type(*right));
            messages_.where(tokens_[first], previous());
            return nullptr;
        }
        chain->parts.push_back(std::move(right));
    }
    return chain;
}

expression_ptr parser::parse_not(vcl::type wanted) {
    std::size_t first = at_;
    bool negated = current().is('!');
    if (negated) {
        advance();
    }
    expression_ptr e = parse_comparison(wanted);
    if (e == nullptr || !negated) {
        return e;
    }
    e = to_boolean(std::move(e));
    if (e->type != boolean) {
        messages_.print("'!' must be followed by BOOL, found {}.\n", shown_type(*e));
        messages_.where(tokens_[first], previous());
        return nullptr;
    }
    return combine(form::logical_not, boolean, std::move(e), nullptr);
}

expression_ptr parser::parse_comparison(vcl::type wanted) {
    expression_ptr left = parse_sum(wanted);
    if (left == nullptr || !is_comparison(current())) {
        return left;
    }
    const token& oper = current();
    bool possible = is_match(oper)      ? left->type == string || left->type == ip
                    : is_ordering(oper) ? ordered(left->type)
                                        : comparable(left->type);
    if (!possible) {
        messages_.print("Operator {} not possible on {}\n", oper.text, shown_type(*left));
        messages_.where(oper);
        return nullptr;
    }
    return is_match(oper) ? match_operand(std::move(left)) : compare_values(std::move(left));
}

expression_ptr parser::compare_values(expression_ptr left) {
    const token& oper = current();
    advance();
    expression_ptr right = parse_sum(left->type);
    if (right == nullptr) {
        return nullptr;
    }
    if (right->type != left->type) {
        messages_.print("Comparison of different types: {} '{}' {}\n", shown_type(*left), oper.text,
                        shown_type(*right));
        messages_.where(oper);
        return nullptr;
    }
    expression_ptr e = combine(form::compare, boolean, std::move(left), std::move(right));
    e->oper = oper.what;
    return e;
}

expression_ptr parser::match_operand(expression_ptr left) {
    const token& oper = current();
    vcl::type wanted = left->type == ip ? acl : regex;
    advance();
    std::size_t first = at_;
    expression_ptr right = parse_operand(wanted);
    if (right != nullptr) {
        right = check_type(std::move(right), wanted, first);
    }
    if (right == nullptr) {
        return nullptr;
    }
    expression_ptr e =
        combine(wanted == acl ? form::match_acl : form::match_regex, boolean, std::move(left), std::move(right));
    e->oper = oper.what;
    return e;
}

expression_ptr parser::parse_sum(vcl::type wanted) {
    expression_ptr left = parse_product(wanted);
    while (left != nullptr && (current().is('+') || current().is('-'))) {
        left = add_operand(std::move(left), wanted);
    }
    return left;
}

expression_ptr parser::add_operand(expression_ptr left, vcl::type wanted) {
    std::size_t first = at_;
    const token& oper = current();
    bool numeric = false;
    for (const sum_row& row : sums) {
        numeric = numeric || (oper.is(row.oper) && row.left == left->type);
    }
    advance();
    expression_ptr right = parse_product(!numeric && wanted == string ? string : left->type);
    if (right == nullptr) {
        return nullptr;
    }
    for (const sum_row& row : sums) {
        if (oper.is(row.oper) && row.left == left->type && row.right == right->type) {
            expression_ptr e = combine(form::arithmetic, row.result, std::move(left), std::move(right));
            e->oper = oper.what;
            return e;
        }
    }
    if (oper.is('+') && (left->type == string || wanted == string)) {
        left = to_string(std::move(left));
        right = left == nullptr ? nullptr : to_string(std::move(right));
        return right == nullptr ? nullptr : concatenate(std::move(left), std::move(right));
    }
    messages_.print("{} {} {} not possible.\n", shown_type(*left), oper.text, shown_type(*right));
    messages_.where(tokens_[first], previous());
    return nullptr;
}

expression_ptr parser::parse_product(vcl::type wanted) {
    expression_ptr left = parse_operand(wanted);
    while (left != nullptr && (current().is('*') || current().is('/') || current().is('%'))) {
        const token& oper = current();
        if (oper.is('%') && left->type != integer) {
            error_here("Operator % only possible on INT.\n");
            return nullptr;
        }
        vcl::type factor = factor_of(left->type);
        if (factor == none) {
            messages_.print("Operator {} not possible on type {}.\n", oper.text, shown_type(*left));
            messages_.where(oper);
            return nullptr;
        }
        advance();
        expression_ptr right = parse_operand(factor);
        if (right == nullptr) {
            return nullptr;
        }
        if (right->type != integer && right->type != factor) {
            messages_.print("{} {} {} not possible.\n", shown_type(*left), oper.text, shown_type(*right));
            messages_.where(oper);
            return nullptr;
        }
        vcl::type result = left->type;
        left = combine(form::arithmetic, result, std::move(left), std::move(right));
        left->oper = oper.what;
    }
    return left;
}

} // namespace clearcoat::vcl::syntax
