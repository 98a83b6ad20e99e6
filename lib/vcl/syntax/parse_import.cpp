// import and new.
#include "vcl/syntax/parser.hpp"

namespace clearcoat::vcl::syntax {

using sema::symbol;
using sema::symbol_kind;

bool parser::import_path(std::string& from) {
    if (!current().is(kind::name)) {
        return true;
    }
    if (!current().is_name("from")) {
        return error_here("Expected 'from path ...'\n");
    }
    advance();
    if (!around_.request.options.unsafe_path && current().string.find('/') != std::string_view::npos) {
        messages_.print("'import ... from path ...' is unsafe.\nAt:");
        messages_.token_name(current());
        messages_.where(current());
        return false;
    }
    if (!expect(kind::string)) {
        return false;
    }
    from = current().string;
    advance();
    return true;
}

/// A module of one's own may be anywhere. One that is built in is part of the program: where its file would lie plays
/// no part.
std::shared_ptr<const vcl::module_info> parser::find_module(const token& name, const std::string& from) {
    const auto found = around_.modules.all().find(name.text);
    if (found != around_.modules.all().end()) {
        return found->second;
    }
    std::string error = fmt::format("Could not find VMOD {}\n", name.text);
    std::shared_ptr<const vcl::module_info> other;
    if (around_.other_modules != nullptr) {
        other = around_.other_modules->find(std::string(name.text), from, error);
    }
    if (other == nullptr) {
        messages_.print("{}", error);
        messages_.where(name);
    }
    return other;
}

bool parser::parse_import() {
    std::size_t first = at_;
    advance();
    if (!expect(kind::name)) {
        return false;
    }
    const token& module = current();
    if (peek().is_name("as")) {
        advance();
        advance();
        if (!expect(kind::name)) {
            return false;
        }
    }
    const token& name = current();
    symbol* s = lookup(symbol_kind::module, {.create = true}, reference::none);
    std::string from;
    if (s == nullptr || !import_path(from) || !skip(';')) {
        return false;
    }
    const std::shared_ptr<const vcl::module_info> found = find_module(module, from);
    if (found == nullptr) {
        return false;
    }
    if (s->index == symbol::no_index) {
        s->defined = &tokens_[first];
        s->uncounted = true;
        s->index = module_index(module.text, found);
        declare_module(s->index, *s);
        return true;
    }
    if (tree_.modules[s->index].info == found) {
        return true; // the same again
    }
    messages_.print("Another module already imported as {}.\n", name.text);
    messages_.where(tokens_[first], previous());
    return false;
}

/// The module's place in the tree: one, however often and under whatever names it is imported.
std::uint32_t parser::module_index(std::string_view name, const std::shared_ptr<const vcl::module_info>& info) {
    for (std::uint32_t i = 0; i < tree_.modules.size(); ++i) {
        if (tree_.modules[i].info == info) {
            return i;
        }
    }
    tree_.modules.push_back({std::string(name), info});
    return static_cast<std::uint32_t>(tree_.modules.size() - 1);
}

void parser::declare_module(std::uint32_t index, const symbol& name) {
    const vcl::module_info& module = *tree_.modules[index].info;
    sema::path& at = symbols_.child(symbols_.root(), name.name);
    for (const vcl::function_info& f : module.functions) {
        symbol& s = symbols_.add(symbols_.child(at, f.name), symbol_kind::function, sema::lowest_version,
                                 sema::highest_version);
        s.uncounted = true;
        s.type = f.result;
        s.verb = sema::verb::native;
        s.meaning = sema::meaning::native;
        s.function = &f;
        s.module = index;
        s.readable = static_cast<tables::sub_set>(f.allowed.bits());
        for (vcl::private_kind p : f.privates) {
            // A top-level slot exists in client tasks only.
            s.readable &= p == vcl::private_kind::top ? tables::in_client : tables::everywhere;
        }
    }
    for (const vcl::object_info& o : module.objects) {
        symbol& s =
            symbols_.add(symbols_.child(at, o.name), symbol_kind::object, sema::lowest_version, sema::highest_version);
        s.uncounted = true;
        s.object = &o;
        s.module = index;
        s.readable = tables::in_init;
        declare_methods(o, symbols_.child(at, o.name));
    }
}

/// A method named through its type: known, so that the message says what is wrong with that.
void parser::declare_methods(const vcl::object_info& type, sema::path& at) {
    for (const vcl::function_info& f : type.methods) {
        symbol& s =
            symbols_.add(symbols_.child(at, f.name), symbol_kind::method, sema::lowest_version, sema::highest_version);
        s.uncounted = true;
        s.type = f.result;
        s.verb = sema::verb::native;
        s.meaning = sema::meaning::native;
        s.function = &f;
        s.readable = static_cast<tables::sub_set>(f.allowed.bits());
    }
}

bool parser::parse_new(statement_list& into) {
    if (!expect_identifier("VCL object")) {
        return false;
    }
    symbol* made = define_handle(vcl::type::instance);
    if (made == nullptr) {
        return false;
    }
    made->uncounted = true;
    made->verb = sema::verb::method;
    object_node object;
    object.name = made->name;
    if (!skip('=') || !expect(kind::name)) {
        return false;
    }
    const symbol* type = lookup(symbol_kind::object, {}, reference::none);
    if (type == nullptr) {
        return false;
    }
    object.made_by = type->object;
    object.module = type->module;
    made->object = type->object;
    made->module = type->module;
    made->index = static_cast<std::uint32_t>(tree_.objects.size());
    tree_.objects.push_back(std::move(object));
    expression_ptr call = parse_arguments(type->object->constructor, *type);
    if (call == nullptr) {
        messages_.print("While compiling function call:\n");
        return false;
    }
    auto s = std::make_unique<statement>();
    s->what = statement_form::make;
    s->index = made->index;
    s->first = std::move(call);
    into.push_back(std::move(s));
    return skip(';');
}

} // namespace clearcoat::vcl::syntax
