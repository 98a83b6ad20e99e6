// Reads the tokens of a VCL once and builds the checked tree. Grammar and checks run side by side, in the order of the
// text, because the first error must be the one the reference reports: a wrong type in line 3 before a missing brace in
// line 10. One file a group of productions (parse_*.cpp). Belongs to one compilation.
#pragma once

#include "vcl/compile.hpp"
#include "vcl/sema/procedure.hpp"
#include "vcl/sema/symbol.hpp"
#include "vcl/syntax/diagnostics.hpp"
#include "vcl/syntax/flags.hpp"
#include "vcl/syntax/tree.hpp"

#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::vcl::syntax {

class acl_entries;
struct acl_rule;

class parser {
  public:
    struct surroundings {
        const compile_request& request;
        file_reader& files;
        resolver& names;
        const module_catalog& modules;
        module_finder* other_modules;              // nullptr: none
        std::span<const std::string> builtin_subs; // names the builtin VCL defines, in order
    };

    parser(std::vector<token>& tokens, const surroundings& around, diagnostics& messages);

    /// The whole text. False after an error.
    bool parse();

    tree& result() noexcept { return tree_; }
    sema::symbol_table& symbols() noexcept { return symbols_; }
    std::deque<sema::procedure>& procedures() noexcept { return procedures_; }
    sema::procedure* procedure_of(const sema::symbol& s) noexcept;

  private:
    struct lookup_mode {
        bool quiet = false;   // no message when there is none
        bool partial = false; // the longest path that names something
        bool create = false;
    };
    enum class reference : std::uint8_t { none, defines, refers };

    // Tokens (parser.cpp).
    const token& current() const noexcept { return tokens_[at_]; }
    const token& peek(std::size_t ahead = 1) const noexcept {
        return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
    }
    const token& previous() const noexcept { return tokens_[at_ == 0 ? 0 : at_ - 1]; }
    void advance() noexcept { at_ = std::min(at_ + 1, tokens_.size() - 1); }
    bool expect(kind k, unsigned line = __builtin_LINE());
    bool skip(kind k, unsigned line = __builtin_LINE());
    bool expect(char c, unsigned line = __builtin_LINE()) { return expect(punct(c), line); }
    bool skip(char c, unsigned line = __builtin_LINE()) { return skip(punct(c), line); }
    bool error_here(std::string_view text);
    bool error_at(const token& t, std::string_view text);
    void print_tokens(std::size_t from, std::size_t to);
    bool expect_identifier(std::string_view of_what);
    /// Marks the current token as a place VCL_trace names.
    void add_point(statement_list& into);

    // Symbols (symbols.cpp).
    sema::symbol* lookup(sema::symbol_kind k, lookup_mode mode, reference r);
    sema::symbol* follow_path(sema::symbol_kind k, bool partial, std::size_t& last, sema::path*& at);
    sema::symbol* symbol_at(sema::path& at, sema::symbol_kind k);
    sema::symbol* header_symbol(sema::path& at, const sema::symbol& family, sema::symbol_kind k);
    bool extend_path(std::size_t& last, const sema::symbol* found) const noexcept;
    void report_missing(sema::path& at, sema::symbol_kind k, std::size_t first);
    void report_kind(const sema::symbol& s, sema::symbol_kind k, std::size_t first);
    /// Makes a symbol a handle of that type, defined or only mentioned so far.
    void make_handle(sema::symbol& s, vcl::type type);
    /// The symbol that a declaration of that type defines here.
    sema::symbol* define_handle(vcl::type type);
    void add_use(const token& first, const token& last, const sema::symbol& s, sema::use_kind how);

    // Declarations.
    bool parse_version();
    bool parse_declaration();
    bool report_declaration();
    bool parse_sub();
    bool reserved_sub_name(const token& name);
    bool parse_acl();
    bool parse_acl_flags(acl_node& acl, bool& pedantic, bool& fold);
    bool parse_acl_entry(acl_entries& entries);
    bool acl_mask(acl_rule& rule);
    bool parse_import();
    bool import_path(std::string& from);
    std::shared_ptr<const vcl::module_info> find_module(const token& name, const std::string& from);
    std::uint32_t module_index(std::string_view name, const std::shared_ptr<const vcl::module_info>& info);
    void declare_module(std::uint32_t index, const sema::symbol& name);
    void declare_methods(const vcl::object_info& type, sema::path& at);

    bool parse_backend();
    bool backend_name(const token& first, backend_spec& spec);
    bool parse_backend_body(backend_spec& spec, const token& name);
    bool parse_backend_field(backend_spec& spec, const token& field);
    bool backend_via(backend_spec& spec);
    bool finish_via(backend_spec& spec);
    bool finish_backend(backend_spec& spec, const token& name);
    bool resolve_backend(backend_spec& spec);
    bool check_backend_path(const backend_spec& spec);
    bool backend_path(backend_spec& spec, const token& field);
    bool backend_proxy_header(backend_spec& spec);
    bool backend_preamble(backend_spec& spec);
    bool backend_probe(backend_spec& spec);
    bool parse_probe();
    bool parse_probe_body(probe_spec& spec);
    bool parse_probe_field(probe_spec& spec, const token& field);
    bool finish_probe(probe_spec& spec);
    /// `.name =`, checked against the fields allowed and those seen already.
    const token* field_name(std::span<const std::string_view> allowed);
    bool redefinition(std::string_view what, const token& field);
    bool string_value(std::string& into, const token*& place);
    bool duration_value(base::seconds& into);
    bool optional_duration(std::optional<base::seconds>& into);
    bool unsigned_value(std::uint32_t& into);
    bool duration_unit(double& scale);
    bool bytes_value(std::int64_t& into);

    // Statements.
    bool parse_block(statement_list& into);
    bool parse_statement(statement_list& into);
    bool parse_verb(sema::symbol& s, std::size_t first, statement_list& into);
    bool parse_if(statement_list& into);
    bool parse_condition(statement& branch);
    bool parse_call(statement_list& into);
    bool parse_set(statement_list& into);
    expression_ptr assigned_value(const sema::symbol& s, const expression& target);
    bool parse_unset(statement_list& into);
    bool parse_strings_statement(statement_form what, statement_list& into);
    bool parse_ban(statement_list& into);
    bool parse_native_statement(sema::symbol& s, std::size_t first, statement_list& into);
    bool parse_method_statement(std::size_t first, const sema::symbol& s, statement_list& into);
    bool parse_return(statement_list& into);
    bool return_arguments(statement& s);
    bool return_label(statement& s);
    bool parse_new(statement_list& into);

    // Expressions (parse_expression.cpp from loose to tight; parse_operand.cpp, parse_arguments.cpp).
    /// A whole expression turned into `type`; nullptr after an error.
    expression_ptr parse_typed(vcl::type type);
    expression_ptr parse_or(vcl::type wanted);
    expression_ptr parse_and(vcl::type wanted);
    expression_ptr parse_boolean_chain(vcl::type wanted, bool is_or);
    expression_ptr parse_not(vcl::type wanted);
    expression_ptr parse_comparison(vcl::type wanted);
    expression_ptr compare_values(expression_ptr left);
    expression_ptr match_operand(expression_ptr left);
    expression_ptr parse_sum(vcl::type wanted);
    expression_ptr add_operand(expression_ptr left, vcl::type wanted);
    expression_ptr parse_product(vcl::type wanted);
    expression_ptr parse_operand(vcl::type wanted);
    expression_ptr parse_atom(vcl::type wanted);
    expression_ptr parse_named(vcl::type wanted);
    expression_ptr evaluate(sema::symbol& s, std::size_t first, vcl::type wanted);
    expression_ptr read_variable(const sema::symbol& s, std::size_t first);
    expression_ptr read_handle(sema::symbol& s, vcl::type wanted);
    expression_ptr default_handle(const token& place, vcl::type wanted);
    expression_ptr parse_substitution(bool all);
    expression_ptr parse_string(vcl::type wanted);
    expression_ptr parse_regex();
    expression_ptr parse_ip();
    expression_ptr parse_blob();
    expression_ptr parse_number(vcl::type wanted, bool negative);
    expression_ptr parse_property(expression_ptr left);
    expression_ptr parse_method(expression_ptr left);
    expression_ptr parse_arguments(const vcl::function_info& f, const sema::symbol& s);
    expression_ptr parse_native(sema::symbol& s);
    bool positional_arguments(const vcl::function_info& f, expression& call);
    bool named_arguments(const vcl::function_info& f, expression& call);
    bool complete_arguments(const vcl::function_info& f, expression& call);
    bool parse_argument(const vcl::argument_info& a, std::size_t index, expression& call);

    /// What messages call an expression's type; that of an object is its module's.
    std::string shown_type(const expression& e) const;
    bool report_type(std::string_view found, vcl::type wanted, std::size_t first);
    expression_ptr to_string(expression_ptr e);
    expression_ptr to_boolean(expression_ptr e);
    expression_ptr check_type(expression_ptr e, vcl::type wanted, std::size_t first);
    bool lookup_addresses(std::string_view written, const token& place, std::string_view what, unsigned most,
                          std::vector<base::ip_address>& found);

    std::vector<token>& tokens_;
    surroundings around_;
    diagnostics& messages_;
    std::size_t at_ = 0;
    int version_ = 0;
    unsigned depth_ = 0;
    position_cursor cursor_; // of trace points

    sema::symbol_table symbols_;
    std::deque<sema::procedure> procedures_;
    std::map<const sema::symbol*, sema::procedure*> by_symbol_;
    sema::procedure* procedure_ = nullptr; // being parsed
    tree tree_;
    std::map<std::string, std::uint32_t, std::less<>> regex_index_;

    sema::symbol* first_backend_ = nullptr;
    std::map<std::string_view, const token*> fields_; // of the declaration being parsed
    const token* redefined_ = nullptr;                // the field that excludes others
    struct {
        const token* host = nullptr;
        const token* port = nullptr;
        const token* path = nullptr;
        const token* host_header = nullptr;
        const token* authority = nullptr;
        std::optional<std::uint32_t> via; // into tree_.backends
        const token* window = nullptr;
        const token* threshold = nullptr;
    } places_;
};

} // namespace clearcoat::vcl::syntax
