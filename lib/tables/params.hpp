// The table of parameters and the manager's hold on them: parse, check, set, reset, print, with the reference's limits,
// layouts and errors. Used on the manager's thread only; the values themselves are shared through param_block.
#pragma once

#include "tables/param_block.hpp"

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::tables {

/// What a parameter's text ends with, and what its JSON lists.
enum param_flag : std::uint16_t {
    pf_none = 0,
    pf_obj_sticky = 1 << 0,     // taken when an object is made
    pf_delayed_effect = 1 << 1, // takes a while
    pf_experimental = 1 << 2,
    pf_must_reload = 1 << 3,  // takes effect for VCL loaded afterwards
    pf_must_restart = 1 << 4, // takes effect in the next worker
    pf_wizard = 1 << 5,
    pf_only_root = 1 << 6,
    pf_build_options = 1 << 7,
    pf_platform_dependent = 1 << 8,
    pf_not_implemented = 1 << 9 // the platform has no such thing: shown as "-"
};

struct param_row {
    std::string_view name;
    param_id id;
    param_kind kind;
    std::string_view def; // as in the table, to be parsed; of an alias, the other's name
    std::string_view min; // empty: no limit
    std::string_view max;
    std::string_view unit;
    std::uint16_t flags;
    std::string_view text;
};

/// The rows in alphabetical order.
std::span<const param_row> param_rows() noexcept;
const param_row* find_param(std::string_view name) noexcept;

/// The answer to a command: a CLI status and the text of the answer.
struct param_answer {
    unsigned status = 200;
    std::string text;
    bool ok() const noexcept { return status == 200; }
};

class parameter_set {
  public:
    /// Uses `block`, which must outlive the set, and fills it with the defaults.
    explicit parameter_set(param_block& block);

    const param_block& values() const noexcept { return block_; }

    /// Values that live in the manager only.
    const std::string& text(param_id id) const noexcept;
    const std::string& vcl_path() const noexcept { return text(param_id::vcl_path); }
    const std::string& vmod_path() const noexcept { return text(param_id::vmod_path); }
    const std::string& h2_rxbuf_storage() const noexcept { return text(param_id::h2_rxbuf_storage); }

    /// param.set. `running` tells whether a worker runs (for the note on parameters that need a restart).
    param_answer set(std::string_view name, std::string_view value, bool running);
    /// param.reset
    param_answer reset(std::string_view name, bool running);
    /// param.show with its arguments after the verb ("-l", "changed", a name).
    param_answer show(std::span<const std::string_view> arguments) const;
    /// param.show -j: what follows the opening "[ 2, [...], TIME" of a JSON answer, from the comma on, up to the
    /// closing bracket's line. The caller indents every line by two. The arguments are those after the verb, "-j"
    /// included.
    param_answer show_json(std::span<const std::string_view> arguments) const;
    /// -r: marks the parameters of a comma-separated list as read-only.
    param_answer protect(std::string_view names);

    /// The present value as `param.show` prints it.
    std::string value_text(param_id id) const;
    /// The default as `param.show` prints it.
    const std::string& default_text(param_id id) const noexcept;
    /// Replaces a default (before the command line is applied), and the value with it; for platform and build facts.
    void set_default(param_id id, std::string_view value);

    /// Asked before a storage name is accepted; without it only "Transient" is.
    void set_storage_check(std::function<bool(std::string_view)> known) { storage_known_ = std::move(known); }

    /// varnishd -x parameter: the reference in reStructuredText.
    std::string describe() const;

  private:
    struct slot {
        std::string def, min, max; // washed: as printed
        std::string text;          // value of manager-only kinds
        bool is_protected = false;
    };

    const slot& slot_of(param_id id) const noexcept { return slots_[static_cast<std::size_t>(id)]; }
    slot& slot_of(param_id id) noexcept { return slots_[static_cast<std::size_t>(id)]; }

    param_answer assign(const param_row& row, std::string_view value, bool running);
    bool parse(const param_row& row, std::string_view value, std::string& error);
    bool parse_bool(const param_row& row, std::string_view value, std::string& error);
    bool parse_uint(const param_row& row, std::string_view value, std::string& error);
    bool parse_real(const param_row& row, std::string_view value, std::string& error);
    bool parse_bytes(const param_row& row, std::string_view value, std::string& error);
    bool parse_bits(const param_row& row, std::string_view value, std::string& error);
    bool parse_mask(const param_row& row, std::string_view value, std::string& error);
    bool parse_text(const param_row& row, std::string_view value, std::string& error);
    bool parse_pool(const param_row& row, std::string_view value, std::string& error);
    bool parse_storage(const param_row& row, std::string_view value, std::string& error);
    void follow(param_id id);
    std::string wash(const param_row& row, std::string_view value);
    std::string bits_text(const param_row& row) const;
    std::string mask_text() const;
    std::string json_value(const param_row& row) const;
    bool is_default(const param_row& row) const;
    void show_one(const param_row& row, bool long_form, std::string& out) const;
    void show_limits(const param_row& row, std::string& out) const;
    void show_json_one(const param_row& row, std::string& out) const;
    void describe_one(const param_row& row, std::string& out) const;

    param_block& block_;
    std::array<slot, param_count> slots_;
    std::function<bool(std::string_view)> storage_known_;
};

} // namespace clearcoat::tables
