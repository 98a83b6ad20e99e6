// How the parser finds and defines names.
#include "vcl/syntax/parser.hpp"

#include "base/ascii.hpp"

namespace clearcoat::vcl::syntax {

using sema::symbol;
using sema::symbol_kind;

namespace {

constexpr std::size_t longest_header_name = 126;

/// Whether one of the names above is a module's.
bool under_module(const sema::path* at) noexcept {
    for (; at != nullptr && at->parent != nullptr; at = at->parent) {
        for (const symbol* s : at->symbols) {
            if (s->kind == symbol_kind::module) {
                return true;
            }
        }
    }
    return false;
}

bool reserved_prefix(std::string_view name) noexcept {
    return base::starts_with_nocase(name, "vcl_");
}

/// A character as it stands in a C string.
std::string visible(char c) {
    constexpr std::pair<char, std::string_view> named[] = {{'\n', "\\n"}, {'\r', "\\r"}, {'\t', "\\t"}};
    for (auto [character, text] : named) {
        if (c == character) {
            return std::string(text);
        }
    }
    auto code = static_cast<unsigned char>(c);
    return code < 0x20 || code > 0x7e ? fmt::format("\\{:03o}", code) : std::string(1, c);
}

symbol_kind kind_of(vcl::type t) noexcept {
    switch (t) {
    case vcl::type::acl:
        return symbol_kind::acl;
    case vcl::type::backend:
        return symbol_kind::backend;
    case vcl::type::probe:
        return symbol_kind::probe;
    case vcl::type::sub:
        return symbol_kind::sub;
    case vcl::type::instance:
        return symbol_kind::instance;
    default:
        return symbol_kind::none;
    }
}

} // namespace

symbol* parser::header_symbol(sema::path& at, const symbol& family, symbol_kind k) {
    if (at.name.size() > longest_header_name) {
        messages_.print("HTTP header ({}..) is too long.\n", std::string_view(at.name).substr(0, 20));
        messages_.set_failed();
        return nullptr;
    }
    for (char c : at.name) {
        if (!base::is_token_char(c)) {
            messages_.print("Invalid character '{}' in header name.\n", visible(c));
            messages_.set_failed();
            return nullptr;
        }
    }
    symbol& s = symbols_.add(at, k, static_cast<std::uint8_t>(version_), static_cast<std::uint8_t>(version_));
    s.uncounted = true;
    s.kind = symbol_kind::variable;
    s.type = family.type;
    s.meaning = sema::meaning::variable;
    s.readable = family.readable;
    s.writable = family.writable;
    s.unsettable = family.unsettable;
    s.row = family.row;
    return &s;
}

symbol* parser::symbol_at(sema::path& at, symbol_kind k) {
    if (symbol* s = symbols_.find(at, k, version_, version_, version_)) {
        return s;
    }
    if (at.parent == nullptr || at.parent->symbols.empty() || !at.parent->symbols.front()->wildcard) {
        return nullptr;
    }
    return header_symbol(at, *at.parent->symbols.front(), k);
}

/// Whether another part follows behind a dot; moves `last` to it.
bool parser::extend_path(std::size_t& last, const symbol* found) const noexcept {
    if (last + 2 >= tokens_.size() || !tokens_[last + 1].is('.')) {
        return false;
    }
    const token& part = tokens_[last + 2];
    bool quoted = part.is(kind::string) && !part.string.empty() && found != nullptr && found->wildcard;
    if (!quoted && !part.is(kind::name)) {
        return false;
    }
    last += 2;
    return true;
}

symbol* parser::follow_path(symbol_kind k, bool partial, std::size_t& last, sema::path*& at) {
    std::size_t part = at_;
    symbol* found = nullptr;
    at = &symbols_.root();
    sema::path* found_at = nullptr;
    std::size_t found_last = at_;
    do {
        const token& t = tokens_[part];
        if (t.is(kind::string) && version_ < sema::highest_version) {
            error_at(t, "Quoted headers are available for VCL >= 4.1.\nAt:");
            return nullptr;
        }
        at = &symbols_.child(*at, t.is(kind::string) ? t.string : t.text);
        if (symbol* s = symbol_at(*at, k)) {
            found = s;
            found_at = at;
            found_last = part;
        }
    } while (extend_path(part, found));
    // What a module holds is named in full, everything else may have properties behind it.
    bool prefix = partial && found != nullptr && found->kind != symbol_kind::module;
    last = prefix ? found_last : part;
    bool whole = at == found_at;
    at = prefix ? found_at : at;
    return prefix || whole ? found : nullptr;
}

symbol* parser::lookup(symbol_kind k, lookup_mode mode, reference r) {
    if (version_ >= sema::highest_version && mode.create && k != symbol_kind::sub && reserved_prefix(current().text)) {
        error_here("Symbols named 'vcl_*' are reserved.\nAt:");
        return nullptr;
    }
    std::size_t first = at_;
    std::size_t last = at_;
    sema::path* at = nullptr;
    symbol* found = follow_path(k, mode.partial, last, at);
    // The name of a module alone, or a name it does not hold, is an error in every mode.
    bool in_module = mode.partial && found == nullptr && under_module(at);
    if (messages_.failed() || (found == nullptr && mode.quiet && !in_module)) {
        return nullptr;
    }
    if (found == nullptr && mode.create) {
        found = &symbols_.add(*at, k, static_cast<std::uint8_t>(version_), static_cast<std::uint8_t>(version_));
    }
    at_ = std::min(last + 1, tokens_.size() - 1);
    if (found == nullptr) {
        report_missing(*at, k, first);
        return nullptr;
    }
    if (k != symbol_kind::none && k != found->kind) {
        report_kind(*found, k, first);
        return nullptr;
    }
    if (r == reference::defines) {
        found->defined = found->defined == nullptr ? &tokens_[first] : found->defined;
        ++found->definitions;
    } else if (r == reference::refers) {
        found->referenced = found->referenced == nullptr ? &tokens_[first] : found->referenced;
        ++found->references;
    }
    return found;
}

void parser::report_missing(sema::path& at, symbol_kind k, std::size_t first) {
    messages_.print("Symbol not found: '");
    print_tokens(first, at_);
    messages_.print("'");
    const symbol* other = symbols_.find(at, k, sema::lowest_version, sema::highest_version, version_);
    if (other != nullptr && other->kind != symbol_kind::object && other->kind != symbol_kind::instance) {
        messages_.print(" (Only available when");
        if (other->lowest >= sema::lowest_version) {
            messages_.print(" {:.1f} <=", .1 * other->lowest);
        }
        messages_.print(" VCL syntax");
        if (other->highest <= sema::highest_version) {
            messages_.print(" <= {:.1f}", .1 * other->highest);
        }
        messages_.print(")");
    }
    messages_.print("\nAt: ");
    messages_.where(tokens_[first], previous());
}

void parser::report_kind(const symbol& s, symbol_kind k, std::size_t first) {
    messages_.print("Symbol '");
    print_tokens(first, at_);
    messages_.print("' has wrong type ({}), expected {}:\nAt: ", name_of(s.kind), name_of(k));
    messages_.where(tokens_[first], previous());
    if (s.defined != nullptr) {
        error_at(*s.defined, "Symbol was defined here: ");
    } else if (s.referenced != nullptr) {
        error_at(*s.referenced, "Symbol was declared here: ");
    } else {
        messages_.print("Symbol was builtin\n");
    }
}

void parser::make_handle(symbol& s, vcl::type type) {
    s.type = type;
    s.kind = kind_of(type);
    s.meaning = type == vcl::type::instance ? sema::meaning::instance : sema::meaning::handle;
    s.readable = tables::everywhere;
}

symbol* parser::define_handle(vcl::type type) {
    symbol_kind k = kind_of(type);
    const token& name = current();
    symbol* s = lookup(symbol_kind::none, {.quiet = true}, reference::none);
    if (messages_.failed()) {
        return nullptr;
    }
    if (s != nullptr && s->defined != nullptr) {
        if (s->kind == k) {
            std::string_view kind_name = name_of(k);
            messages_.print("{}{} '{}' redefined.\n", base::to_upper(kind_name[0]), kind_name.substr(1), name.text);
        } else {
            messages_.print("Name '{}' already defined.\n", name.text);
        }
        messages_.where(name);
        error_at(*s->defined, "First definition:\n");
        return nullptr;
    }
    if (s != nullptr && s->kind != k) {
        messages_.print("Name {} must have type '{}'.\n", name.text, name_of(s->kind));
        messages_.where(name);
        return nullptr;
    }
    if (s == nullptr) {
        s = lookup(k, {.create = true}, reference::none);
    }
    if (s == nullptr) {
        return nullptr;
    }
    make_handle(*s, type);
    s->definitions = 1;
    s->defined = &name;
    return s;
}

void parser::add_use(const token& first, const token& last, const symbol& s, sema::use_kind how) {
    sema::use u{&first, &last, &s, how, 0};
    switch (how) {
    case sema::use_kind::read:
        u.allowed = s.readable;
        break;
    case sema::use_kind::write:
        u.allowed = s.writable;
        break;
    case sema::use_kind::unset:
        u.allowed = s.unsettable;
        break;
    case sema::use_kind::statement:
        u.allowed = s.verb_allowed;
        break;
    }
    procedure_->uses.push_back(u);
}

} // namespace clearcoat::vcl::syntax
