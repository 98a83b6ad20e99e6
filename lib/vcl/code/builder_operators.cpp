// Operators and conversions.
#include "vcl/code/builder.hpp"

#include "base/panic.hpp"

namespace clearcoat::vcl::code {

using syntax::form;
using syntax::kind;
using syntax::property_name;

namespace {

using enum vcl::type;

comparison comparison_of(kind k) noexcept {
    switch (k) {
    case kind::equal:
        return comparison::equal;
    case kind::not_equal:
        return comparison::not_equal;
    case kind::less_equal:
        return comparison::less_equal;
    case kind::greater_equal:
        return comparison::greater_equal;
    default:
        return k == syntax::punct('<') ? comparison::less : comparison::greater;
    }
}

constexpr bool counted(vcl::type t) noexcept {
    return t == integer || t == bytes;
}

opcode integer_op(kind oper) noexcept {
    switch (static_cast<char>(oper)) {
    case '+':
        return opcode::add_integer;
    case '-':
        return opcode::subtract_integer;
    case '*':
        return opcode::multiply_integer;
    case '/':
        return opcode::divide_integer;
    default:
        return opcode::remainder_integer;
    }
}

opcode real_op(kind oper) noexcept {
    switch (static_cast<char>(oper)) {
    case '+':
        return opcode::add_real;
    case '-':
        return opcode::subtract_real;
    case '*':
        return opcode::multiply_real;
    default:
        return opcode::divide_real;
    }
}

opcode text_op(vcl::type t) {
    switch (t) {
    case boolean:
        return opcode::text_boolean;
    case integer:
    case bytes:
        return opcode::text_integer;
    case real:
    case duration:
        return opcode::text_real;
    case time:
        return opcode::text_time;
    case ip:
        return opcode::text_ip;
    case backend:
        return opcode::text_backend;
    case acl:
        return opcode::text_acl;
    case stevedore:
        return opcode::text_storage;
    case blob:
        return opcode::text_blob;
    case strands:
        return opcode::text_strands;
    default:
        CLEARCOAT_ASSERT(false);
    }
}

opcode compare_op(vcl::type t) noexcept {
    switch (t) {
    case integer:
    case bytes:
        return opcode::compare_integer;
    case real:
    case duration:
    case time:
        return opcode::compare_real;
    case boolean:
        return opcode::compare_boolean;
    case ip:
        return opcode::compare_ip;
    default:
        return opcode::compare_pointer;
    }
}

} // namespace

void builder::to_text(const expression& e, reg into) {
    const expression& from = *e.parts[0];
    value_of(from, into);
    if (from.type != enumeration && from.type != string) {
        emit(text_op(from.type), into, into);
    }
}

void builder::to_boolean(const expression& e, reg into) {
    const expression& from = *e.parts[0];
    if (from.type == string) {
        auto [first, count] = strings_of(from);
        emit(opcode::truth_text, into, first, count);
        return;
    }
    value_of(from, into);
    emit(from.type == integer    ? opcode::truth_integer
         : from.type == duration ? opcode::truth_duration
                                 : opcode::truth_backend,
         into, into);
}

void builder::arithmetic(const expression& e, reg into) {
    const expression& left = *e.parts[0];
    const expression& right = *e.parts[1];
    reg a = take();
    reg b = take();
    value_of(left, a);
    value_of(right, b);
    if (counted(left.type) && counted(right.type)) {
        emit(integer_op(e.oper), into, a, b);
        return;
    }
    if (counted(left.type)) {
        emit(opcode::to_real, a, a);
    }
    if (counted(right.type)) {
        emit(opcode::to_real, b, b);
    }
    emit(real_op(e.oper), into, a, b);
    if (counted(e.type)) {
        emit(opcode::to_integer, into, into);
    }
}

void builder::compare_texts(const expression& e, reg into) {
    // Single strings tell undefined from empty, strings of several parts do not.
    bool single = e.parts[0]->string_count() == 1 && e.parts[1]->string_count() == 1;
    reg sides[2] = {take(), take()};
    for (std::size_t i = 0; i < 2; ++i) {
        scratch keep(*this);
        if (single) {
            value_of(*e.parts[i], sides[i]);
        } else {
            auto [first, count] = strings_of(*e.parts[i]);
            emit(opcode::join, sides[i], first, count);
        }
    }
    emit(opcode::compare_text, into, sides[0], sides[1], static_cast<std::uint32_t>(comparison_of(e.oper)));
}

void builder::compare(const expression& e, reg into) {
    if (e.parts[0]->type == string) {
        return compare_texts(e, into);
    }
    reg a = take();
    reg b = take();
    value_of(*e.parts[0], a);
    value_of(*e.parts[1], b);
    emit(compare_op(e.parts[0]->type), into, a, b, static_cast<std::uint32_t>(comparison_of(e.oper)));
}

void builder::match(const expression& e, reg into) {
    reg a = take();
    reg b = take();
    value_of(*e.parts[0], a);
    value_of(*e.parts[1], b);
    emit(e.what == form::match_acl ? opcode::match_acl : opcode::match_regex, into, a, b,
         e.oper == kind::no_match ? 1 : 0);
}

void builder::substitute(const expression& e, reg into) {
    reg first = take(3);
    for (std::size_t i = 0; i < 3; ++i) {
        value_of(*e.parts[i], static_cast<reg>(first + i));
    }
    emit(opcode::substitute, into, first, 0, e.all ? 1 : 0);
}

void builder::property(const expression& e, reg into) {
    static constexpr opcode ops[] = {opcode::upper,      opcode::lower,      opcode::resolve,
                                     opcode::free_space, opcode::used_space, opcode::happy};
    static_assert(static_cast<std::size_t>(property_name::happy) == 5);
    value_of(*e.parts[0], into);
    emit(ops[static_cast<std::size_t>(e.property)], into, into);
}

void builder::jump_if(const expression& e, bool when, jumps& places) {
    scratch keep(*this);
    if (e.what == form::logical_not) {
        return jump_if(*e.parts[0], !when, places);
    }
    if (e.what != form::logical_and && e.what != form::logical_or) {
        reg value = take();
        value_of(e, value);
        places.push_back(emit(when ? opcode::jump_true : opcode::jump_false, value));
        return;
    }
    // `decisive`: the value of one part that settles the whole.
    bool decisive = e.what == form::logical_or;
    if (decisive == when) {
        for (const auto& part : e.parts) {
            jump_if(*part, when, places);
        }
        return;
    }
    jumps past;
    for (std::size_t i = 0; i + 1 < e.parts.size(); ++i) {
        jump_if(*e.parts[i], decisive, past);
    }
    jump_if(*e.parts.back(), when, places);
    patch(past);
}

} // namespace clearcoat::vcl::code
