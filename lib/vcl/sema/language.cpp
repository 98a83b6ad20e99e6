// The names every VCL starts with.
#include "vcl/sema/symbol.hpp"

namespace clearcoat::vcl::sema {

namespace {

vcl::type type_of(tables::variable_type t) noexcept {
    static constexpr vcl::type types[] = {
        vcl::type::boolean, vcl::type::integer,   vcl::type::bytes,  vcl::type::duration, vcl::type::time,
        vcl::type::string,  vcl::type::ip,        vcl::type::header, vcl::type::http,     vcl::type::body,
        vcl::type::backend, vcl::type::stevedore, vcl::type::blob};
    return types[static_cast<std::size_t>(t)];
}

void declare_variables(symbol_table& table) {
    for (const tables::variable_row& row : tables::variable_rows) {
        bool header = row.type == tables::variable_type::header;
        symbol& s =
            table.declare(row.name, header ? symbol_kind::none : symbol_kind::variable, row.lowest, row.highest);
        s.type = type_of(row.type);
        s.wildcard = header;
        s.meaning = meaning::variable;
        s.readable = row.readable;
        s.writable = row.writable;
        s.unsettable = row.unsettable;
        s.row = &row;
    }
}

void declare_verb(symbol_table& table, std::string_view name, verb v, tables::sub_set allowed = 0) {
    symbol& s = table.declare(name, symbol_kind::action);
    s.verb = v;
    s.verb_allowed = allowed;
}

void declare_function(symbol_table& table, std::string_view name, vcl::type type, meaning m) {
    symbol& s = table.declare(name, symbol_kind::function);
    s.type = type;
    s.meaning = m;
}

} // namespace

void declare_language(symbol_table& table) {
    for (std::string_view word : {"acl", "sub", "backend", "probe", "import", "vcl"}) {
        table.declare(word, symbol_kind::reserved, highest_version);
    }
    declare_function(table, "regsub", vcl::type::string, meaning::regsub);
    declare_function(table, "regsuball", vcl::type::string, meaning::regsuball);
    declare_function(table, "true", vcl::type::boolean, meaning::true_constant);
    declare_function(table, "false", vcl::type::boolean, meaning::false_constant);
    declare_function(table, "default", vcl::type::backend, meaning::default_handle);
    declare_verb(table, "ban", verb::ban);
    declare_verb(table, "call", verb::call);
    declare_verb(table, "hash_data", verb::hash_data, tables::in_hash);
    declare_verb(table, "if", verb::branch);
    declare_verb(table, "new", verb::make, tables::in_init);
    declare_verb(table, "return", verb::finish);
    declare_verb(table, "set", verb::set);
    declare_verb(table, "synthetic", verb::synthetic, tables::in_synth | tables::in_backend_error);
    declare_verb(table, "unset", verb::unset);
    declare_variables(table);
}

} // namespace clearcoat::vcl::sema
