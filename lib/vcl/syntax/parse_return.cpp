// return (...) with its actions and arguments.
#include "vcl/syntax/parser.hpp"

#include <algorithm>

namespace clearcoat::vcl::syntax {

bool parser::return_label(statement& s) {
    if (!skip('(') || !expect(kind::name)) {
        return false;
    }
    const sema::symbol* label = lookup(sema::symbol_kind::label, {}, reference::none);
    if (label == nullptr) {
        return false;
    }
    s.label = label->name;
    if (std::find(tree_.labels.begin(), tree_.labels.end(), s.label) == tree_.labels.end()) {
        tree_.labels.push_back(s.label);
    }
    return skip(')');
}

bool parser::return_arguments(statement& s) {
    if (s.result == action::vcl) {
        return return_label(s);
    }
    bool status = s.result == action::synth || s.result == action::error;
    if (!status && s.result != action::pass && s.result != action::fail) {
        return error_here("Arguments not allowed.\n");
    }
    advance();
    s.first = parse_typed(status                     ? vcl::type::integer
                          : s.result == action::pass ? vcl::type::duration
                                                     : vcl::type::string);
    if (s.first == nullptr) {
        return false;
    }
    if (status && current().is(',')) {
        advance();
        s.second = parse_typed(vcl::type::string);
        if (s.second == nullptr) {
            return false;
        }
    }
    return skip(')');
}

bool parser::parse_return(statement_list& into) {
    auto s = std::make_unique<statement>();
    s->what = statement_form::finish;
    if (current().is(';') && !procedure_->builtin) {
        advance();
        into.push_back(std::move(s));
        return true;
    }
    if (!skip('(') || !expect(kind::name)) {
        return false;
    }
    const token& name = current();
    std::optional<action> a = sema::action_named(name.text);
    if (!a) {
        return error_here("Expected return action name.\n");
    }
    s->result = *a;
    procedure_->returned |= sema::bit(*a);
    procedure_->allowed &= sema::subs_returning(*a);
    const token*& place = procedure_->return_places[static_cast<std::size_t>(*a)];
    place = place == nullptr ? &name : place;
    advance();
    if (current().is('(')) {
        if (!return_arguments(*s)) {
            return false;
        }
    } else if (*a == action::synth || *a == action::vcl) {
        return error_here("Missing argument.\n");
    }
    into.push_back(std::move(s));
    return skip(')') && skip(';');
}

} // namespace clearcoat::vcl::syntax
