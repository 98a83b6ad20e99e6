#include "vcl/module.hpp"

#include "vcl/signature.hpp"

#include <cstdlib>

namespace clearcoat::vcl {

namespace {

/// Once the argument stays where it is: a string's value refers into it.
void set_default_value(argument_info& a) {
    switch (a.kind) {
    case type::boolean:
        a.default_value = value::of(a.default_text != "0");
        break;
    case type::integer:
    case type::bytes:
        a.default_value = value::of_integer(std::strtoll(a.default_text.c_str(), nullptr, 10));
        break;
    case type::real:
    case type::duration:
    case type::time:
        a.default_value = value::of_real(std::strtod(a.default_text.c_str(), nullptr));
        break;
    case type::string:
    case type::enumeration:
        // An unquoted 0 stands for the undefined string.
        if (!a.default_is_word || a.kind == type::enumeration) {
            a.default_value = value::of(std::string_view(a.default_text));
        }
        break;
    default:
        break; // 0: none
    }
}

std::string describe(const argument_info& a) {
    std::string text(word_of(a.kind));
    if (a.kind == type::enumeration) {
        text += " {";
        for (const std::string& w : a.words) {
            text += (&w == a.words.data() ? "" : ", ") + w;
        }
        text += "}";
    }
    if (!a.name.empty()) {
        text += " " + a.name;
    }
    if (a.has_default) {
        text += a.default_is_word ? "=" + a.default_text : "=\"" + a.default_text + "\"";
    }
    return a.optional ? "[" + text + "]" : text;
}

std::string describe(const function_info& f, std::string_view head) {
    std::string text = std::string(head) + f.name + "(";
    for (const argument_info& a : f.arguments) {
        text += (&a == f.arguments.data() ? "" : ", ") + describe(a);
    }
    return text + ")";
}

void finish(function_info& f, std::string_view prefix) {
    for (argument_info& a : f.arguments) {
        if (a.has_default) {
            set_default_value(a);
        }
    }
    f.signature = describe(f, prefix);
}

void fill_functions(std::vector<function_info>& to, std::span<const function_row> rows, std::string_view prefix) {
    to.reserve(rows.size());
    for (const function_row& row : rows) {
        function_info& f = to.emplace_back(parse_signature(row.signature, true));
        f.native = row.native;
        f.allowed = row.allowed;
        finish(f, std::string(word_of(f.result)) + " " + std::string(prefix));
    }
}

void fill_object(object_info& to, const object_row& row, std::string_view module_name) {
    to.constructor = parse_signature(row.signature, false);
    to.constructor.result = type::instance;
    to.constructor.allowed = row.allowed;
    to.name = to.constructor.name;
    to.native = row.native;
    finish(to.constructor, "new x" + to.name + " = " + std::string(module_name) + ".");
    fill_functions(to.methods, row.methods, "x" + to.name + ".");
}

template<class T>
const T* find_by_name(const std::vector<T>& rows, std::string_view name) noexcept {
    for (const T& row : rows) {
        if (row.name == name) {
            return &row;
        }
    }
    return nullptr;
}

} // namespace

std::string_view call::join(const strand_list& list) const noexcept {
    if (list.count == 1 && list.parts[0].data() != nullptr) {
        return list.parts[0];
    }
    std::size_t size = 0;
    for (std::size_t i = 0; i < list.count; ++i) {
        size += list.parts[i].size();
    }
    if (size == 0) {
        return "";
    }
    auto* room = static_cast<char*>(workspace().allocate(size + 1, 1));
    if (room == nullptr) {
        return {};
    }
    char* to = room;
    for (std::size_t i = 0; i < list.count; ++i) {
        to += list.parts[i].copy(to, list.parts[i].size());
    }
    *to = '\0';
    return {room, size};
}

int function_info::argument_index(std::string_view argument_name) const noexcept {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].name == argument_name && !argument_name.empty()) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

const function_info* object_info::find_method(std::string_view method_name) const noexcept {
    return find_by_name(methods, method_name);
}

const function_info* module_info::find_function(std::string_view function_name) const noexcept {
    return find_by_name(functions, function_name);
}

const object_info* module_info::find_object(std::string_view type_name) const noexcept {
    return find_by_name(objects, type_name);
}

std::shared_ptr<const module_info> make_module(const module_row& row, std::string file) {
    auto m = std::make_shared<module_info>();
    m->name = row.name;
    m->summary = row.summary;
    m->event = row.event;
    m->test_only = row.test_only;
    m->filters = row.filters;
    m->file = std::move(file);
    fill_functions(m->functions, row.functions, m->name + ".");
    m->objects.resize(row.objects.size());
    for (std::size_t i = 0; i < row.objects.size(); ++i) {
        fill_object(m->objects[i], row.objects[i], m->name);
    }
    return m;
}

const module_info* module_catalog::find(std::string_view name) const noexcept {
    auto found = modules_.find(name);
    return found == modules_.end() ? nullptr : found->second.get();
}

void module_catalog::add(std::shared_ptr<const module_info> m) {
    std::string name = m->name;
    modules_.insert_or_assign(std::move(name), std::move(m));
}

} // namespace clearcoat::vcl
