// What the bodies of backends and probes are made of: `.name = value`.
#include "vcl/syntax/parser.hpp"

namespace clearcoat::vcl::syntax {

const token* parser::field_name(std::span<const std::string_view> allowed) {
    if (!skip('.') || !expect(kind::name)) {
        return nullptr;
    }
    const token& field = current();
    advance();
    if (!skip('=')) {
        return nullptr;
    }
    for (std::string_view name : allowed) {
        if (field.text != name) {
            continue;
        }
        auto [seen, fresh] = fields_.emplace(name, &field);
        if (fresh) {
            return &field;
        }
        messages_.print("Field ");
        messages_.token_name(field);
        error_at(field, " redefined at:\n");
        error_at(*seen->second, "\nFirst defined at:\n");
        return nullptr;
    }
    messages_.print("Unknown field: ");
    messages_.token_name(field);
    error_at(field, " at\n");
    return nullptr;
}

bool parser::redefinition(std::string_view what, const token& field) {
    if (redefined_ == nullptr) {
        redefined_ = &field;
        return false;
    }
    messages_.print("{} redefinition at:\n", what);
    messages_.where(field);
    error_at(*redefined_, "Previous definition:\n");
    return true;
}

bool parser::string_value(std::string& into, const token*& place) {
    if (!expect(kind::string)) {
        return false;
    }
    place = &current();
    into = current().string;
    advance();
    return true;
}

bool parser::unsigned_value(std::uint32_t& into) {
    if (!expect(kind::integer)) {
        return false;
    }
    into = static_cast<std::uint32_t>(current().number);
    advance();
    return true;
}

bool parser::duration_value(base::seconds& into) {
    if (!current().is(kind::real) && !expect(kind::integer)) {
        return false;
    }
    double number = current().number;
    advance();
    double scale = 1;
    if (!expect(kind::name) || !duration_unit(scale)) {
        return false;
    }
    into = number * scale;
    return true;
}

bool parser::optional_duration(std::optional<base::seconds>& into) {
    base::seconds value = 0;
    if (!duration_value(value)) {
        return false;
    }
    into = value;
    return skip(';');
}

} // namespace clearcoat::vcl::syntax
