// The names of a VCL. Names are dotted paths without case; one path may carry several symbols of different kinds or
// language versions. Belongs to one compilation.
#pragma once

#include "tables/vcl_variables.hpp"
#include "vcl/module.hpp"
#include "vcl/syntax/token.hpp"
#include "vcl/types.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::vcl::sema {

enum class symbol_kind : std::uint8_t {
    none,
    reserved,
    acl,
    action,
    backend,
    function,
    instance,
    method,
    object,
    probe,
    stevedore,
    sub,
    variable,
    label,
    module
};

/// As messages print it: "acl", "func", "vmod", ...
std::string_view name_of(symbol_kind k) noexcept;

/// What a statement that starts with the symbol is.
enum class verb : std::uint8_t {
    none,
    ban,
    call,
    hash_data,
    branch,
    make,
    finish,
    set,
    synthetic,
    unset,
    native,
    method
};

/// What the symbol is in an expression.
enum class meaning : std::uint8_t {
    none,
    variable,
    storage,
    true_constant,
    false_constant,
    regsub,
    regsuball,
    default_handle,
    handle, // acl, backend, probe, sub
    native,
    instance
};

constexpr std::uint8_t lowest_version = 40;
constexpr std::uint8_t highest_version = 41;

struct path;

struct symbol {
    std::string name; // the last part, as first written
    const path* at = nullptr;
    symbol_kind kind = symbol_kind::none;
    vcl::type type = vcl::type::none;
    std::uint8_t lowest = lowest_version;
    std::uint8_t highest = highest_version;
    bool wildcard = false;  // what follows the dot is a header's name
    bool uncounted = false; // never "unused"
    std::uint32_t references = 0;
    std::uint32_t definitions = 0;
    const syntax::token* defined = nullptr;
    const syntax::token* referenced = nullptr;

    sema::verb verb = sema::verb::none;
    tables::sub_set verb_allowed = 0; // 0: everywhere
    sema::meaning meaning = sema::meaning::none;
    tables::sub_set readable = 0;
    tables::sub_set writable = 0;
    tables::sub_set unsettable = 0;

    const tables::variable_row* row = nullptr;
    const vcl::function_info* function = nullptr;
    const vcl::object_info* object = nullptr;
    std::uint32_t index = no_index; // into the tree's list of its kind
    std::uint32_t module = 0;

    static constexpr std::uint32_t no_index = 0xffffffff;
};

/// A place in the tree of names.
struct path {
    std::string name;
    path* parent = nullptr;
    std::map<std::string, std::unique_ptr<path>, std::less<>> children; // by lower-case name
    std::vector<symbol*> symbols;
};

class symbol_table {
  public:
    symbol_table();

    path& root() noexcept { return root_; }
    /// The child of that one name (dots and all), made when it is missing.
    path& child(path& parent, std::string_view name);
    /// A new symbol there.
    symbol& add(path& at, symbol_kind kind, std::uint8_t lowest, std::uint8_t highest);
    /// A symbol of the language or of a module, by dotted name.
    symbol& declare(std::string_view dotted, symbol_kind kind, std::uint8_t lowest = lowest_version,
                    std::uint8_t highest = highest_version);
    /// The symbol of `kind` (none: any) at a path in versions `lowest` to `highest`; nullptr when there is none.
    /// `version` is the VCL's own: before 4.1 kinds have separate names.
    symbol* find(path& at, symbol_kind kind, int lowest, int highest, int version) const noexcept;

    /// Every symbol, in the order of names.
    template<class Visit>
    void each(Visit visit) {
        each_below(root_, visit);
    }

  private:
    template<class Visit>
    void each_below(path& at, Visit& visit) {
        for (symbol* s : at.symbols) {
            visit(*s);
        }
        for (auto& [key, below] : at.children) {
            each_below(*below, visit);
        }
    }

    path root_;
    std::deque<symbol> symbols_;
};

/// Declares what every VCL knows: variables, statements, functions and reserved words.
void declare_language(symbol_table& table);

} // namespace clearcoat::vcl::sema
