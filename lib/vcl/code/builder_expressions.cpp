// Values: literals, names, strings, calls.
#include "vcl/code/builder.hpp"

#include "vcl/sema/symbol.hpp"
#include "vcl/syntax/base64.hpp"

namespace clearcoat::vcl::code {

using syntax::form;

namespace {

template<class T>
vcl::value pointer(const T* p, const T* vcl::value::*member) {
    vcl::value v;
    v.*member = p;
    return v;
}

} // namespace

void builder::value_of(const expression& e, reg into) {
    scratch keep(*this);
    switch (e.what) {
    case form::text:
    case form::integer:
    case form::real:
    case form::boolean:
    case form::blob:
    case form::ip:
    case form::regex:
    case form::word:
    case form::message:
    case form::absent:
    case form::default_value:
        return literal(e, into);
    case form::variable:
    case form::header:
    case form::acl:
    case form::backend:
    case form::default_backend:
    case form::probe:
    case form::storage:
    case form::sub:
        return operand(e, into);
    default:
        return operation(e, into);
    }
}

void builder::literal(const expression& e, reg into) {
    vcl::value v;
    switch (e.what) {
    case form::text:
    case form::word:
        emit(opcode::load, into, 0, 0, text_constant(e.text));
        return;
    case form::integer:
        v = vcl::value::of_integer(e.integer);
        break;
    case form::real:
        v = vcl::value::of_real(e.number);
        break;
    case form::boolean:
        v = vcl::value::of(e.integer != 0);
        break;
    case form::blob: {
        const auto& bytes = image_.blob_bytes.emplace_back(syntax::decode_base64(e.text));
        v = vcl::value::of(&image_.blobs.emplace_back(blob{0, bytes}));
        break;
    }
    case form::ip:
        v = vcl::value::of(static_cast<const base::ip_address*>(&image_.addresses.emplace_back(e.ip)));
        break;
    case form::regex:
        v = pointer(image_.regexes[e.index].get(), &vcl::value::regex);
        break;
    case form::message:
        v.http = e.header.where;
        break;
    case form::default_value:
        v = e.function->arguments[e.index].default_value;
        break;
    default: // absent: all zero
        break;
    }
    load(into, v);
}

void builder::operand(const expression& e, reg into) {
    switch (e.what) {
    case form::variable:
        emit(opcode::get, into, 0, 0, e.index);
        break;
    case form::header:
        if (e.type == vcl::type::header) {
            load(into, pointer<header_ref>(&image_.headers[header(e.header)], &vcl::value::header));
        } else {
            emit(opcode::get_header, into, 0, 0, header(e.header));
        }
        break;
    case form::acl:
        load(into, pointer<vcl::acl>(&image_.acls[e.named->index], &vcl::value::acl));
        break;
    case form::backend:
        emit(opcode::load_backend, into, 0, 0, e.named->index);
        break;
    case form::default_backend:
        emit(opcode::load_default_backend, into);
        break;
    case form::probe:
        load(into,
             pointer<probe_spec>(&image_.probes[e.named == nullptr ? e.index : e.named->index], &vcl::value::probe));
        break;
    case form::sub:
        load(into, pointer<subroutine>(&image_.subs[e.named->index], &vcl::value::sub));
        break;
    default:
        emit(opcode::load_storage, into, 0, 0, storage(e.text));
        break;
    }
}

void builder::operation(const expression& e, reg into) {
    switch (e.what) {
    case form::join:
        return text_of(e, into);
    case form::to_text:
        return to_text(e, into);
    case form::to_boolean:
        return to_boolean(e, into);
    case form::arithmetic:
        return arithmetic(e, into);
    case form::negate:
        value_of(*e.parts[0], into);
        emit(e.type == vcl::type::integer || e.type == vcl::type::bytes ? opcode::negate_integer : opcode::negate_real,
             into, into);
        return;
    case form::compare:
        return compare(e, into);
    case form::match_regex:
    case form::match_acl:
        return match(e, into);
    case form::substitute:
        return substitute(e, into);
    case form::property:
        return property(e, into);
    case form::native:
        return native(e, into, opcode::native);
    default: { // logical operators as a value
        jumps to_false;
        jump_if(e, false, to_false);
        load(into, vcl::value::of(true));
        jumps to_end{emit(opcode::jump)};
        patch(to_false);
        load(into, vcl::value::of(false));
        patch(to_end);
    }
    }
}

void builder::string_of(const expression& e, reg into) {
    value_of(e, into);
    if (e.type == vcl::type::strands) { // what a module's function gave
        emit(opcode::text_strands, into, into);
    }
}

std::pair<reg, reg> builder::strings_of(const expression& e) {
    if (e.what != form::join) {
        reg only = take();
        string_of(e, only);
        return {only, 1};
    }
    // A part may be a join by itself (`set x += a + b`): its strings count one by one.
    std::vector<const expression*> parts;
    for (const auto& part : e.parts) {
        if (part->what == form::join) {
            for (const auto& inner : part->parts) {
                parts.push_back(inner.get());
            }
        } else {
            parts.push_back(part.get());
        }
    }
    reg first = take(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        string_of(*parts[i], static_cast<reg>(first + i));
    }
    return {first, static_cast<reg>(parts.size())};
}

void builder::text_of(const expression& e, reg into, bool show_undefined) {
    if (e.what != form::join && !show_undefined) {
        return string_of(e, into);
    }
    scratch keep(*this);
    auto [first, count] = strings_of(e);
    emit(opcode::join, into, first, count, show_undefined ? 1 : 0);
}

void builder::strands_of(const expression& e, reg into) {
    scratch keep(*this);
    auto [first, count] = strings_of(e);
    emit(opcode::strands, into, first, count);
}

void builder::argument(const expression& e, vcl::type wanted, reg into) {
    bool list = wanted == vcl::type::strands && e.what != form::absent &&
                (e.type == vcl::type::string || e.what == form::default_value);
    if (list) {
        strands_of(e, into);
    } else {
        value_of(e, into);
    }
}

void builder::native(const expression& e, reg into, opcode op) {
    scratch keep(*this);
    reg count = static_cast<reg>(e.parts.size());
    reg first = take(std::max<std::size_t>(e.parts.size(), 1));
    for (reg i = 0; i < count; ++i) {
        argument(*e.parts[i], e.function->arguments[i].kind, static_cast<reg>(first + i));
    }
    auto site = static_cast<std::uint32_t>(image_.natives.size());
    image_.natives.push_back({e.function, e.made_by, e.module, e.object, e.given, from_.version});
    emit(op, into, first, count, site);
}

} // namespace clearcoat::vcl::code
