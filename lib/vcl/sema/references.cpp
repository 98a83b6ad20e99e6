#include "vcl/sema/references.hpp"

namespace clearcoat::vcl::sema {

namespace {

using syntax::diagnostics;
using syntax::token;

std::string_view complaint(use_kind k) noexcept {
    static constexpr std::string_view texts[] = {"Not available", "Cannot be set", "Cannot be unset",
                                                 "Not a valid action"};
    return texts[static_cast<std::size_t>(k)];
}

class checker {
  public:
    checker(syntax::parser& parsed, diagnostics& messages) : parsed_(parsed), messages_(messages) {}

    bool definitions(bool unused_is_error);
    bool actions();
    bool uses();

  private:
    template<class Check>
    bool each_procedure(Check check) {
        parsed_.symbols().each([&](symbol& s) {
            procedure* p = s.kind == symbol_kind::sub ? parsed_.procedure_of(s) : nullptr;
            if (p != nullptr && p->name != nullptr && !messages_.failed()) {
                check(*p);
            }
        });
        return !messages_.failed();
    }
    void check_definition(const symbol& s, bool unused_is_error);
    bool actions_below(procedure& p, action_set legal);
    bool report_returns(const procedure& p, action_set illegal);
    bool called_actions(procedure& p, action_set legal);
    void check_actions(procedure& p);
    const use* illegal_use(procedure& p, std::optional<sub_id> from);
    const use* illegal_write(use& u, sub_id from);
    bool uses_below(procedure& p, std::optional<sub_id> from);
    void check_uses(procedure& p);

    syntax::parser& parsed_;
    diagnostics& messages_;
};

void checker::check_definition(const symbol& s, bool unused_is_error) {
    if (s.uncounted || messages_.failed()) {
        return;
    }
    if (s.definitions == 0 && s.references != 0) {
        messages_.print("Undefined {} {}, first reference:\n", name_of(s.kind), s.referenced->text);
        messages_.where(*s.referenced);
    } else if (s.definitions != 0 && s.references == 0) {
        messages_.print("Unused {} {}, defined:\n", name_of(s.kind), s.defined->text);
        messages_.where(*s.defined);
        if (!unused_is_error) {
            messages_.only_warning();
        }
    }
}

bool checker::definitions(bool unused_is_error) {
    parsed_.symbols().each([&](symbol& s) { check_definition(s, unused_is_error); });
    return !messages_.failed();
}

bool checker::report_returns(const procedure& p, action_set illegal) {
    for (action a : actions_by_name) {
        if ((illegal & bit(a)) != 0) {
            messages_.print("Invalid return \"{}\"\n", name_of(a));
            messages_.where(*p.return_places[static_cast<std::size_t>(a)]);
        }
    }
    messages_.print("\n...in subroutine \"{}\"\n", p.name->text);
    messages_.where(*p.name);
    return false;
}

bool checker::called_actions(procedure& p, action_set legal) {
    // More mentions than calls: the subroutine is also called through a SUB value.
    bool by_value = p.name_symbol->references > p.called;
    for (const procedure::call_site& c : p.calls) {
        procedure* callee = parsed_.procedure_of(*c.callee);
        if (callee == nullptr || callee->name == nullptr) {
            messages_.print("Subroutine {} does not exist\n", c.callee->name);
            messages_.where(*c.place);
            return false;
        }
        callee->called_from |= p.called_from;
        ++callee->called;
        c.callee->references += by_value ? 1 : 0;
        if (!actions_below(*callee, legal)) {
            messages_.print("\n...called from \"{}\"\n", p.name->text);
            messages_.where(*c.place);
            return false;
        }
        p.allowed &= callee->allowed;
    }
    return true;
}

bool checker::actions_below(procedure& p, action_set legal) {
    if (p.active) {
        messages_.print("Subroutine recurses on\n");
        messages_.where(*p.name);
        return false;
    }
    if (action_set illegal = p.returned & ~legal) {
        return report_returns(p, illegal);
    }
    p.active = true;
    bool good = called_actions(p, legal);
    p.active = !good;
    return good;
}

void checker::check_actions(procedure& p) {
    action_set legal = ~action_set(0);
    if (p.builtin) {
        legal = returns_of(*p.builtin);
        p.called_from = bit(*p.builtin);
    }
    if (actions_below(p, legal)) {
        return;
    }
    messages_.set_failed();
    if (!p.builtin) {
        return;
    }
    messages_.print("\n...which is the \"{}\" subroutine\nLegal returns are:", name_of(*p.builtin));
    for (action a : actions_by_name) {
        if ((legal & bit(a)) != 0) {
            messages_.print(" \"{}\"", name_of(a));
        }
    }
    messages_.print("\n");
}

bool checker::actions() {
    return each_procedure([this](procedure& p) { check_actions(p); });
}

/// A variable nobody may write: says so by itself, or asks for another wording where it cannot even be read.
const use* checker::illegal_write(use& u, sub_id from) {
    if (u.allowed != 0 || u.how != use_kind::write) {
        return nullptr;
    }
    if (u.what->readable == 0) {
        messages_.where(*u.first, *u.last);
        messages_.print("Variable cannot be set.\n");
        return nullptr;
    }
    if ((u.what->readable & bit(from)) == 0) {
        u.how = use_kind::read;
        return &u;
    }
    messages_.where(*u.first, *u.last);
    messages_.print("Variable is read only.\n");
    return nullptr;
}

const use* checker::illegal_use(procedure& p, std::optional<sub_id> from) {
    const use* found = nullptr;
    for (use& u : p.uses) {
        p.allowed &= u.allowed;
        if (!from) {
            continue;
        }
        const use* write = illegal_write(u, *from);
        if (found != nullptr) {
            continue;
        }
        if (messages_.failed()) {
            found = write;
        } else if ((u.allowed & bit(*from)) == 0) {
            found = &u;
        }
    }
    return found;
}

bool checker::uses_below(procedure& p, std::optional<sub_id> from) {
    const use* u = illegal_use(p, from);
    if (u != nullptr) {
        messages_.where(*u->first, *u->last);
        messages_.print("{} from subroutine '{}'.\n", complaint(u->how), name_of(*from));
        messages_.print("\n...in subroutine \"{}\"\n", p.name->text);
        messages_.where(*p.name);
        return false;
    }
    if (messages_.failed()) {
        return false;
    }
    for (const procedure::call_site& c : p.calls) {
        procedure& callee = *parsed_.procedure_of(*c.callee);
        if (!uses_below(callee, from)) {
            messages_.print("\n...called from \"{}\"\n", p.name->text);
            messages_.where(*c.place);
            return false;
        }
        p.allowed &= callee.allowed;
    }
    return true;
}

void checker::check_uses(procedure& p) {
    if (const use* u = illegal_use(p, p.builtin)) {
        messages_.where(*u->first, *u->last);
        messages_.print("{} in subroutine '{}'.\n", complaint(u->how), p.name->text);
        return;
    }
    if (messages_.failed()) {
        return;
    }
    if (!uses_below(p, p.builtin) && p.builtin) {
        messages_.print("\n...which is the \"{}\" subroutine\n", name_of(*p.builtin));
    }
}

bool checker::uses() {
    return each_procedure([this](procedure& p) { check_uses(p); }) && each_procedure([this](procedure& p) {
               if (p.allowed == 0) {
                   messages_.print("Impossible Subroutine");
                   messages_.where(*p.name);
               }
           });
}

} // namespace

bool check_references(syntax::parser& parsed, diagnostics& messages, bool unused_is_error) {
    checker c(parsed, messages);
    return c.definitions(unused_is_error) && c.actions() && c.uses();
}

} // namespace clearcoat::vcl::sema
