// An access control list, ready to be asked: the networks of each family sorted by address, each with the index of the
// narrowest one around it, so that a lookup is one binary search and a short walk outwards. Immutable.
#pragma once

#include "base/ip_address.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::vcl {

class acl {
  public:
    struct rule {
        base::ip_address network; // bits behind the mask are zero
        std::uint8_t bits = 0;
        bool negated = false;
        std::string written; // as VCL_acl records show it
    };

    /// `rules` hold each network once.
    acl(std::string name, bool log, std::vector<rule> rules);

    const std::string& name() const noexcept { return name_; }
    bool log() const noexcept { return log_; }
    const std::vector<rule>& rules() const noexcept { return rules_; }

    /// The narrowest rule that holds the address; nullptr when none does.
    const rule* find(const base::ip_address& address) const noexcept;
    bool match(const base::ip_address& address) const noexcept {
        const rule* r = find(address);
        return r != nullptr && !r->negated;
    }

  private:
    struct key {
        std::uint64_t high = 0;
        std::uint64_t low = 0;
        friend auto operator<=>(const key&, const key&) = default;
    };
    struct node {
        key first;
        key last;
        std::int32_t outer; // index of the network around it in the same family, or -1
        std::uint32_t rule;
    };
    static key key_of(const base::ip_address& address) noexcept;
    static key last_of(const rule& r) noexcept;
    void link(std::vector<node>& nodes);

    std::string name_;
    bool log_;
    std::vector<rule> rules_;
    std::vector<node> v4_;
    std::vector<node> v6_;
};

} // namespace clearcoat::vcl
