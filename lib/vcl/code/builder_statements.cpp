#include "vcl/code/builder.hpp"

#include "vcl/sema/symbol.hpp"

namespace clearcoat::vcl::code {

using syntax::statement_form;

void builder::statements(const statement_list& list) {
    for (const auto& s : list) {
        scratch keep(*this);
        one_statement(*s);
    }
}

void builder::one_statement(const statement& s) {
    switch (s.what) {
    case statement_form::block:
        return statements(s.body);
    case statement_form::branch:
        return branch(s);
    case statement_form::point:
        emit(opcode::place, 0, 0, 0, s.index);
        return;
    case statement_form::set:
    case statement_form::set_header:
        return assign(s);
    case statement_form::unset:
        emit(opcode::unset, 0, 0, 0, s.index);
        return;
    case statement_form::unset_header:
        emit(opcode::unset_header, 0, 0, 0, header(s.header));
        return;
    case statement_form::call:
        emit(opcode::call, next_, 0, 0, s.named->index);
        return;
    case statement_form::finish:
        return finish(s);
    case statement_form::make:
        return make(s);
    default:
        return body(s);
    }
}

void builder::branch(const statement& s) {
    jumps to_else;
    {
        scratch keep(*this);
        jump_if(*s.first, false, to_else);
    }
    statements(s.body);
    if (s.else_part.empty()) {
        patch(to_else);
        return;
    }
    jumps to_end{emit(opcode::jump)};
    patch(to_else);
    statements(s.else_part);
    patch(to_end);
}

void builder::assign(const statement& s) {
    reg value = take();
    string_of(*s.first, value);
    if (s.what == statement_form::set) {
        emit(opcode::set, value, 0, 0, s.index);
    } else {
        emit(opcode::set_header, value, 0, 0, header(s.header));
    }
}

/// Statements that take one value.
void builder::body(const statement& s) {
    reg value = take();
    bool blob = s.first->type == vcl::type::blob;
    bool synthetic = s.what == statement_form::synthetic || s.what == statement_form::set_body;
    if (synthetic && !blob) {
        text_of(*s.first, value, true);
    } else {
        value_of(*s.first, value);
    }
    switch (s.what) {
    case statement_form::call_value:
        emit(opcode::call_value, value);
        break;
    case statement_form::hash_data:
        emit(opcode::hash_data, value);
        break;
    case statement_form::ban:
        emit(opcode::ban, value);
        break;
    case statement_form::synthetic:
        emit(opcode::synthetic, value);
        break;
    case statement_form::set_body:
        emit(opcode::synthetic, value, 0, 0, (s.append ? 0U : 1U) | (blob ? 2U : 0U));
        break;
    default: // evaluated for its effect
        break;
    }
}

void builder::finish(const statement& s) {
    if (s.result == action::none) {
        emit(opcode::leave);
        return;
    }
    if (s.result == action::vcl) {
        emit(opcode::finish_label, 0, 0, 0, text_constant(s.label));
        return;
    }
    std::uint32_t given = 0;
    reg number = take();
    reg reason = take();
    if (s.first != nullptr && s.result != action::fail) {
        value_of(*s.first, number);
        given |= 1;
    }
    const expression* text = s.result == action::fail ? s.first.get() : s.second.get();
    if (text != nullptr) {
        text_of(*text, reason);
        given |= 2;
    }
    emit(opcode::finish, static_cast<reg>(s.result), number, reason, given);
}

void builder::make(const statement& s) {
    native(*s.first, 0, opcode::construct);
    image_.natives.back().object = static_cast<std::int32_t>(s.index);
    image_.natives.back().made_by = from_.objects[s.index].made_by;
}

} // namespace clearcoat::vcl::code
