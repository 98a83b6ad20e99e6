// The outermost level: version, declarations, subroutines.
#include "vcl/syntax/parser.hpp"

#include "base/ascii.hpp"
#include "vcl/syntax/source.hpp"

#include <algorithm>

namespace clearcoat::vcl::syntax {

namespace {

constexpr std::string_view declarations[] = {"acl", "sub", "backend", "probe", "import", "vcl"};

} // namespace

bool parser::parse() {
    if (!current().is_name("vcl")) {
        return error_here("VCL version declaration missing\n"
                          "Update your VCL to Version 4 syntax, and add\n"
                          "\tvcl 4.1;\n"
                          "on the first line of the VCL files.\n");
    }
    if (!parse_version()) {
        return false;
    }
    while (!current().is(kind::end)) {
        if (!parse_declaration()) {
            return false;
        }
    }
    return !messages_.failed();
}

bool parser::parse_declaration() {
    const token& t = current();
    if (t.is(kind::inline_c)) {
        // DIFFERS: where the reference would compile it, the text says what to do instead.
        return error_here(around_.request.options.allow_inline_c
                              ? "Inline-C is not supported; write a module (vmod) instead\n"
                              : "Inline-C not allowed\n");
    }
    if (t.is_name("acl")) {
        return parse_acl();
    }
    if (t.is_name("sub")) {
        return parse_sub();
    }
    if (t.is_name("backend")) {
        return parse_backend();
    }
    if (t.is_name("probe")) {
        return parse_probe();
    }
    if (t.is_name("import")) {
        return parse_import();
    }
    return t.is_name("vcl") ? parse_version() : report_declaration();
}

bool parser::report_declaration() {
    messages_.print("Expected one of\n\t");
    for (std::string_view name : declarations) {
        bool last = name == "vcl";
        messages_.print("{}'{}'{}", last ? " or " : "", name, last ? "" : ", ");
    }
    messages_.print("\nFound: ");
    messages_.token_name(current());
    return error_here(" at\n");
}

bool parser::parse_version() {
    std::size_t first = at_;
    advance();
    bool is_number = expect(kind::real);
    const token& number = current();
    if (!is_number || number.text.size() != 3 || number.text[1] != '.') {
        return error_here("Don't play silly buggers with VCL version numbers\n");
    }
    int version = (number.text[0] - '0') * 10 + (number.text[2] - '0');
    advance();
    if (version < sema::lowest_version || version > sema::highest_version) {
        messages_.print("VCL version {:.1f} not supported.\n", .1 * version);
        messages_.where(tokens_[first], previous());
        return false;
    }
    if (!current().is(';')) {
        messages_.print("Expected 'vcl N.N;' found no semi-colon\n");
        messages_.where(tokens_[first], previous());
        return false;
    }
    advance();
    if (version_ == 0) {
        version_ = version;
        tree_.version = version;
    }
    if (version > version_) {
        messages_.print("VCL version {:.1f} higher than the top level version {:.1f}\n", .1 * version, .1 * version_);
        messages_.where(tokens_[first], previous());
        return false;
    }
    return true;
}

bool parser::reserved_sub_name(const token& name) {
    if (!base::starts_with_nocase(name.text, "vcl_") ||
        std::find(around_.builtin_subs.begin(), around_.builtin_subs.end(), name.text) != around_.builtin_subs.end()) {
        return false;
    }
    error_at(name, "The names 'vcl_*' are reserved for subroutines.\n");
    messages_.print("Valid vcl_* subroutines are:\n");
    for (const std::string& valid : around_.builtin_subs) {
        messages_.print("\t{}\n", valid);
    }
    return true;
}

bool parser::parse_sub() {
    advance();
    if (!expect_identifier("subroutine")) {
        return false;
    }
    const token& name = current();
    sema::symbol* s = lookup(sema::symbol_kind::sub, {.create = true}, reference::defines);
    if (s == nullptr) {
        return false;
    }
    bool of_builtin =
        std::find(around_.builtin_subs.begin(), around_.builtin_subs.end(), name.text) != around_.builtin_subs.end();
    sema::procedure* p = procedure_of(*s);
    if (p == nullptr) {
        if (reserved_sub_name(name)) {
            return false;
        }
        make_handle(*s, vcl::type::sub);
        s->index = static_cast<std::uint32_t>(tree_.subs.size());
        sub_node node;
        node.name = name.text;
        tree_.subs.push_back(std::move(node));
        p = &procedures_.emplace_back();
        p->name_symbol = s;
        p->index = s->index;
        by_symbol_[s] = p;
    } else if (!p->builtin && !of_builtin) {
        messages_.print("Subroutine '{}' redefined\n", s->name);
        messages_.where(name);
        return error_at(*p->name, "Previously defined here:\n");
    }
    p->name = p->name == nullptr ? &name : p->name;
    procedure_ = p;
    statement_list body;
    bool good = parse_block(body);
    procedure_ = nullptr;
    sub_node& node = tree_.subs[p->index];
    node.defined = true;
    node.is_own = node.is_own || name.from->kind != "builtin";
    std::move(body.begin(), body.end(), std::back_inserter(node.body));
    return good;
}

} // namespace clearcoat::vcl::syntax
