// ACL declarations.
#include "vcl/syntax/parser.hpp"

#include "vcl/syntax/acl_entries.hpp"

#include <cstdlib>
#include <iterator>

namespace clearcoat::vcl::syntax {

bool parser::parse_acl_flags(acl_node& acl, bool& pedantic, bool& fold) {
    while (true) {
        flag f = flag_at(current(), peek(), messages_);
        if (messages_.failed()) {
            messages_.print("Valid ACL flags are `log` and `table`:\n");
            return false;
        }
        if (f == flag::none) {
            return true;
        }
        advance();
        if (current().is_name("log")) {
            acl.log = f == flag::on;
        } else if (current().is_name("pedantic")) {
            pedantic = f == flag::on;
        } else if (current().is_name("fold")) {
            fold = f == flag::on;
        } else if (!current().is_name("table")) { // a table is what every ACL is here
            return error_here("Unknown ACL flag:\n");
        }
        advance();
    }
}

bool parser::parse_acl() {
    advance();
    if (!expect_identifier("ACL")) {
        return false;
    }
    acl_node acl;
    acl.name = current().text;
    sema::symbol* s = define_handle(vcl::type::acl);
    if (s == nullptr) {
        return false;
    }
    s->index = static_cast<std::uint32_t>(tree_.acls.size());
    bool pedantic = true;
    bool fold = false;
    if (!parse_acl_flags(acl, pedantic, fold) || !skip('{')) {
        return false;
    }
    acl_entries entries(messages_, pedantic);
    while (!current().is('}')) {
        if (!parse_acl_entry(entries) || !skip(';')) {
            return false;
        }
    }
    advance();
    if (fold) {
        entries.fold();
    }
    entries.move_to(acl.entries);
    tree_.acls.push_back(std::move(acl));
    return true;
}

bool parser::acl_mask(acl_rule& rule) {
    const token& address = *rule.place;
    std::size_t slash = rule.address.find('/');
    if (slash != std::string::npos) {
        std::string mask = rule.address.substr(slash + 1);
        rule.address.resize(slash);
        char* end = nullptr;
        unsigned long bits = std::strtoul(mask.c_str(), &end, 10);
        if (*end != '\0') {
            return error_at(address, ".../mask is not numeric.\n");
        }
        rule.bits = static_cast<unsigned>(std::min(bits, 100000UL));
        rule.mask_place = &address;
        return !current().is('/') || error_here("/mask only allowed once.\n");
    }
    if (current().is('/')) {
        advance();
        rule.mask_place = &current();
        std::uint32_t bits = 0;
        if (!unsigned_value(bits)) {
            return false;
        }
        rule.bits = bits;
    }
    return true;
}

bool parser::parse_acl_entry(acl_entries& entries) {
    acl_rule rule;
    if (current().is('!')) {
        rule.negated = true;
        advance();
    }
    if (current().is('(')) {
        rule.optional = true;
        advance();
    }
    if (!rule.negated && current().is('!')) {
        rule.negated = true;
        advance();
    }
    if (!expect(kind::string)) {
        return false;
    }
    rule.place = &current();
    rule.address = current().string;
    advance();
    if (!acl_mask(rule)) {
        return false;
    }
    // The log shows an address without the mask inside its quotes, but with one behind them.
    rule.written = fmt::format("\"{}\"", rule.address);
    if (rule.mask_place != nullptr && rule.mask_place != rule.place) {
        fmt::format_to(std::back_inserter(rule.written), "/{}", rule.bits);
    }
    if (rule.optional && !skip(')')) {
        return false;
    }
    return entries.add(rule, around_.names);
}

} // namespace clearcoat::vcl::syntax
