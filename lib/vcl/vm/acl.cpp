#include "vcl/vm/acl.hpp"

#include <algorithm>

namespace clearcoat::vcl {

namespace {

using family = base::ip_address::family;

/// 64 bits with the first `bits` (0 to 64) clear and the others set.
constexpr std::uint64_t tail(unsigned bits) noexcept {
    return bits >= 64 ? 0 : ~std::uint64_t(0) >> bits;
}

} // namespace

acl::key acl::key_of(const base::ip_address& address) noexcept {
    key k;
    for (std::size_t i = 0; i < 8; ++i) {
        k.high = k.high << 8 | address.bytes[i];
        k.low = k.low << 8 | address.bytes[i + 8];
    }
    if (address.kind == family::v4) {
        k.low = 0;
        k.high &= ~tail(32);
    }
    return k;
}

acl::key acl::last_of(const rule& r) noexcept {
    key k = key_of(r.network);
    unsigned bits = r.bits;
    k.high |= tail(std::min(bits, 64U));
    k.low |= tail(bits > 64 ? bits - 64 : 0);
    return k;
}

acl::acl(std::string name, bool log, std::vector<rule> rules)
    : name_(std::move(name)), log_(log), rules_(std::move(rules)) {
    for (std::uint32_t i = 0; i < rules_.size(); ++i) {
        const rule& r = rules_[i];
        (r.network.kind == family::v4 ? v4_ : v6_).push_back({key_of(r.network), last_of(r), -1, i});
    }
    link(v4_);
    link(v6_);
}

void acl::link(std::vector<node>& nodes) {
    // A network stands before those inside it, so the ones open at any point form a stack.
    std::sort(nodes.begin(), nodes.end(),
              [](const node& a, const node& b) { return a.first != b.first ? a.first < b.first : b.last < a.last; });
    std::int32_t open = -1;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(nodes.size()); ++i) {
        node& n = nodes[static_cast<std::size_t>(i)];
        while (open >= 0 && nodes[static_cast<std::size_t>(open)].last < n.first) {
            open = nodes[static_cast<std::size_t>(open)].outer;
        }
        n.outer = open;
        open = i;
    }
}

const acl::rule* acl::find(const base::ip_address& address) const noexcept {
    const std::vector<node>& nodes = address.kind == family::v4 ? v4_ : v6_;
    key k = key_of(address);
    auto above =
        std::upper_bound(nodes.begin(), nodes.end(), k, [](const key& a, const node& n) { return a < n.first; });
    for (auto i = static_cast<std::int32_t>(above - nodes.begin()) - 1; i >= 0;
         i = nodes[static_cast<std::size_t>(i)].outer) {
        const node& n = nodes[static_cast<std::size_t>(i)];
        if (k <= n.last) {
            return &rules_[n.rule];
        }
    }
    return nullptr;
}

} // namespace clearcoat::vcl
