// The checked syntax tree of a VCL: what the parser leaves when every name is known and every type is right. code/
// turns it into instructions. Nodes refer to tokens and symbols of the same compilation.
#pragma once

#include "base/ip_address.hpp"
#include "base/regex.hpp"
#include "tables/vcl_variables.hpp"
#include "vcl/module.hpp"
#include "vcl/syntax/token.hpp"
#include "vcl/types.hpp"
#include "vcl/vm/environment.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clearcoat::vcl::sema {
struct symbol;
}

namespace clearcoat::vcl::syntax {

struct expression;
using expression_ptr = std::unique_ptr<expression>;

enum class form : std::uint8_t {
    text,    // a literal, or the name of something used as a string
    integer, // INT and BYTES
    real,    // REAL and DURATION
    boolean,
    blob,
    ip,
    regex,
    word,          // of an ENUM
    default_value, // a module's default for an argument that was not written
    absent,        // an optional argument without default
    variable,
    header,
    message, // req, bereq, ... as a whole
    acl,
    backend,
    default_backend,
    probe,
    storage,
    sub,
    join, // of strings
    to_text,
    to_boolean,
    negate,
    logical_not,
    logical_and,
    logical_or,
    arithmetic,
    compare,
    match_regex,
    match_acl,
    substitute, // regsub, regsuball
    native,     // a module's function or an object's method
    property    // .upper(), .resolve(), .free_space, ...
};

/// What `.name` behind a value can be.
enum class property_name : std::uint8_t { upper, lower, resolve, free_space, used_space, happy };

struct header_name {
    vcl::message where = vcl::message::req;
    std::string name;
};

struct expression {
    form what = form::text;
    vcl::type type = vcl::type::string;
    bool literal = false; // ends in a string literal; literals next to each other become one
    bool constant = false;
    kind oper = kind::end; // of arithmetic, compare and matches; no_match negates
    bool all = false;      // substitute: regsuball
    property_name property = property_name::upper;
    std::uint32_t index = 0;             // of regex, storage, trace point, variable
    const sema::symbol* named = nullptr; // of acl, backend, probe, sub: may be defined further down
    double number = 0;
    std::int64_t integer = 0;
    std::string text;
    header_name header;
    base::ip_address ip;
    const vcl::function_info* function = nullptr;
    const vcl::object_info* made_by = nullptr; // an object as the left side of a method
    std::int32_t object = -1;
    std::uint32_t module = 0;
    std::uint64_t given = 0;
    const token* written = nullptr; // the literal it begins with, for messages about conversions
    std::vector<expression_ptr> parts;

    /// How many strings a STRING expression is made of.
    std::size_t string_count() const noexcept { return what == form::join ? parts.size() : 1; }
};

enum class statement_form : std::uint8_t {
    block,
    branch, // condition, then_part, else_part
    point,  // VCL_trace
    set,
    set_header,
    unset,
    unset_header,
    call,       // of a subroutine by name
    call_value, // of a SUB expression
    evaluate,   // a module's function or method for its effect
    finish,     // return
    hash_data,
    synthetic,
    set_body,
    ban,
    make // new
};

struct statement {
    statement_form what = statement_form::block;
    std::uint32_t index = 0;             // variable, object, trace point
    const sema::symbol* named = nullptr; // sub
    header_name header;
    action result = action::none;
    std::string label;
    bool append = false; // set_body with +=
    expression_ptr first;
    expression_ptr second;
    std::vector<std::unique_ptr<statement>> body;
    std::vector<std::unique_ptr<statement>> else_part;
};
using statement_list = std::vector<std::unique_ptr<statement>>;

struct acl_entry_node {
    base::ip_address address;
    std::uint8_t bits = 0; // of the address
    bool negated = false;
    std::string written; // as the log shows it
};

struct acl_node {
    std::string name;
    bool log = false;
    std::vector<acl_entry_node> entries; // no two for one network, in the order they are tried
};

struct sub_node {
    std::string name;
    std::optional<sub_id> builtin;
    tables::sub_set allowed = tables::everywhere;
    statement_list body;
    bool defined = false;
    bool is_own = false; // the VCL has text for it, not only the builtin VCL
};

struct object_node {
    std::string name;
    const vcl::object_info* made_by = nullptr;
    std::uint32_t module = 0;
};

struct module_node {
    std::string name;
    std::shared_ptr<const vcl::module_info> info;
};

/// A place VCL_trace can name.
struct trace_point {
    std::uint32_t source = 0;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

struct tree {
    int version = 0;
    std::vector<backend_spec> backends;
    std::optional<std::uint32_t> default_backend;
    std::vector<probe_spec> probes;
    std::optional<std::uint32_t> default_probe; // of backends that name none
    std::vector<acl_node> acls;
    std::vector<sub_node> subs;
    std::vector<object_node> objects;
    std::vector<module_node> modules;
    std::vector<std::shared_ptr<const base::regex>> regexes;
    std::vector<std::string> storages;
    std::vector<std::string> labels;
    std::vector<trace_point> points;
};

} // namespace clearcoat::vcl::syntax
