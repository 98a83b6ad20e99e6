// Turns the rules of an ACL into networks: numbers in short form, names looked up, masks checked, and the order in
// which they are tried: a longer mask before a shorter one, so that the first match counts.
#pragma once

#include "vcl/compile.hpp"
#include "vcl/syntax/diagnostics.hpp"
#include "vcl/syntax/tree.hpp"

#include <string>
#include <vector>

namespace clearcoat::vcl::syntax {

/// A rule as written.
struct acl_rule {
    std::string address;
    unsigned bits = 0; // when mask_place is set
    bool negated = false;
    bool optional = false; // in parentheses: ignored when the name cannot be looked up
    const token* place = nullptr;
    const token* mask_place = nullptr;
    std::string written; // as the log shows it
};

class acl_entries {
  public:
    acl_entries(diagnostics& messages, bool pedantic) : messages_(messages), pedantic_(pedantic) {}

    bool add(const acl_rule& rule, resolver& names);
    /// Drops networks inside others and joins neighbours to one (+fold), with a warning for each. What is negated stays
    /// as it is, and so does what any address comes to.
    void fold();
    void move_to(std::vector<acl_entry_node>& into);

  private:
    bool add_looked_up(const acl_rule& rule, resolver& names);
    bool add_network(const acl_rule& rule, base::ip_address address, unsigned bits);
    bool clear_host_bits(const acl_rule& rule, acl_entry_node& entry);

    struct placed {
        acl_entry_node entry;
        const token* place;
    };
    void drop_contained();
    bool join_neighbours();
    std::vector<placed>::iterator position_of(const acl_entry_node& entry);

    diagnostics& messages_;
    bool pedantic_;
    std::vector<placed> entries_; // sorted
};

/// Negative, zero or positive as strcmp(): family, then the bits both have, then the longer mask first.
int compare_networks(const acl_entry_node& a, const acl_entry_node& b) noexcept;

} // namespace clearcoat::vcl::syntax
