#include "vcl/sema/symbol.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace clearcoat::vcl::sema {

namespace {

std::string lower(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), base::to_lower);
    return out;
}

} // namespace

std::string_view name_of(symbol_kind k) noexcept {
    static constexpr std::string_view names[] = {"none",      "reserved", "acl",    "action", "backend",
                                                 "func",      "instance", "method", "object", "probe",
                                                 "stevedore", "sub",      "var",    "vcl",    "vmod"};
    return names[static_cast<std::size_t>(k)];
}

symbol_table::symbol_table() {
    declare_language(*this);
}

path& symbol_table::child(path& parent, std::string_view name) {
    std::string key = lower(name);
    auto found = parent.children.find(key);
    if (found == parent.children.end()) {
        auto fresh = std::make_unique<path>();
        fresh->name = name;
        fresh->parent = &parent;
        found = parent.children.emplace(std::move(key), std::move(fresh)).first;
    }
    return *found->second;
}

symbol& symbol_table::add(path& at, symbol_kind kind, std::uint8_t lowest, std::uint8_t highest) {
    symbol& s = symbols_.emplace_back();
    s.name = at.name;
    s.at = &at;
    s.kind = kind;
    s.lowest = lowest;
    s.highest = highest;
    at.symbols.push_back(&s);
    return s;
}

symbol& symbol_table::declare(std::string_view dotted, symbol_kind kind, std::uint8_t lowest, std::uint8_t highest) {
    path* at = &root_;
    while (!dotted.empty()) {
        std::size_t dot = std::min(dotted.find('.'), dotted.size());
        at = &child(*at, dotted.substr(0, dot));
        dotted.remove_prefix(std::min(dot + 1, dotted.size()));
    }
    symbol& s = add(*at, kind, lowest, highest);
    s.uncounted = true;
    return s;
}

symbol* symbol_table::find(path& at, symbol_kind kind, int lowest, int highest, int version) const noexcept {
    for (symbol* s : at.symbols) {
        if (s->lowest > highest || s->highest < lowest) {
            continue;
        }
        if (kind == symbol_kind::none && s->kind == symbol_kind::none && !s->wildcard) {
            continue;
        }
        if (version < highest_version && s->name != "default" && kind != symbol_kind::none && kind != s->kind &&
            !s->wildcard) {
            continue;
        }
        return s;
    }
    return nullptr;
}

} // namespace clearcoat::vcl::sema
