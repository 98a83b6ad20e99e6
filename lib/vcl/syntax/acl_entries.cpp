#include "vcl/syntax/acl_entries.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace clearcoat::vcl::syntax {

namespace {

using family = base::ip_address::family;

/// "192.168" as it stands before a mask: the missing bytes are zero. Sets how many bytes were written.
std::optional<base::ip_address> short_ipv4(std::string_view text, unsigned& bytes_written) {
    base::ip_address a;
    for (bytes_written = 0; bytes_written < 4; ++bytes_written) {
        unsigned number = 0;
        std::size_t digits = 0;
        while (digits < text.size() && base::is_digit(text[digits]) && number <= 255) {
            number = number * 10 + static_cast<unsigned>(text[digits] - '0');
            ++digits;
        }
        if (digits == 0 || number > 255) {
            return std::nullopt;
        }
        a.bytes[bytes_written] = static_cast<std::uint8_t>(number);
        text.remove_prefix(digits);
        if (text.empty()) {
            ++bytes_written;
            return a;
        }
        if (text.front() != '.') {
            return std::nullopt;
        }
        text.remove_prefix(1);
    }
    // The reference looks at four numbers and leaves what follows.
    return a;
}

constexpr std::uint8_t mask_byte(unsigned bits) noexcept {
    return static_cast<std::uint8_t>(0xff00U >> bits);
}

/// Whether the last bit of the network's own is set: the right one of two neighbours.
bool last_bit(const acl_entry_node& entry) noexcept {
    const unsigned at = entry.bits - 1U;
    return (entry.address.bytes[at / 8] & 0x80U >> at % 8) != 0;
}

bool contains(const acl_entry_node& outer, const acl_entry_node& inner) noexcept {
    if (outer.address.kind != inner.address.kind || outer.bits >= inner.bits) {
        return false;
    }
    acl_entry_node cut = inner;
    cut.bits = outer.bits;
    return compare_networks(outer, cut) == 0;
}

} // namespace

int compare_networks(const acl_entry_node& a, const acl_entry_node& b) noexcept {
    if (a.address.kind != b.address.kind) {
        return a.address.kind == family::v4 ? -1 : 1;
    }
    unsigned common = std::min(a.bits, b.bits);
    int order = std::memcmp(a.address.bytes.data(), b.address.bytes.data(), common / 8);
    if (order == 0 && common % 8 != 0) {
        unsigned mask = mask_byte(common % 8);
        order =
            static_cast<int>(a.address.bytes[common / 8] & mask) - static_cast<int>(b.address.bytes[common / 8] & mask);
    }
    return order != 0 ? order : static_cast<int>(b.bits) - static_cast<int>(a.bits);
}

bool acl_entries::add(const acl_rule& rule, resolver& names) {
    unsigned written = 0;
    if (std::optional<base::ip_address> a = short_ipv4(rule.address, written)) {
        return add_network(rule, *a, rule.mask_place != nullptr ? rule.bits : 8 * written);
    }
    return add_looked_up(rule, names);
}

bool acl_entries::add_looked_up(const acl_rule& rule, resolver& names) {
    std::string error;
    std::vector<base::ip_address> found = names.lookup(rule.address, "0", error);
    if (!error.empty()) {
        if (rule.optional) {
            messages_.print("Warning: {} ignored\n  -- {}\n", rule.address, error);
            return true;
        }
        messages_.print("DNS lookup({}): {}\n", rule.address, error);
        messages_.where(*rule.place);
        return false;
    }
    bool v4 = std::any_of(found.begin(), found.end(), [](const auto& a) { return a.kind == family::v4; });
    bool v6 = std::any_of(found.begin(), found.end(), [](const auto& a) { return a.kind == family::v6; });
    if (rule.mask_place != nullptr && v4 && v6) {
        messages_.print("Mask (/{}) specified, but string resolves to both IPv4 and IPv6 addresses.\n", rule.bits);
        messages_.where(*rule.mask_place);
        return false;
    }
    for (const base::ip_address& a : found) {
        unsigned whole = static_cast<unsigned>(a.size() * 8);
        if (!add_network(rule, a, rule.mask_place != nullptr ? rule.bits : whole)) {
            return false;
        }
    }
    return true;
}

bool acl_entries::clear_host_bits(const acl_rule& rule, acl_entry_node& entry) {
    auto original = entry.address;
    unsigned bits = entry.bits;
    for (std::size_t i = 0; i < entry.address.size(); ++i, bits -= std::min(bits, 8U)) {
        entry.address.bytes[i] &= mask_byte(std::min(bits, 8U));
    }
    if (entry.address == original) {
        return true;
    }
    std::string fixed = fmt::format("{}/{}", base::to_string(entry.address), entry.bits);
    if (pedantic_) {
        messages_.print("Non-zero bits in masked part, (maybe use {} ?)\n", fixed);
        messages_.where(*rule.place);
        return false;
    }
    entry.written += " fixed: " + fixed;
    return true;
}

bool acl_entries::add_network(const acl_rule& rule, base::ip_address address, unsigned bits) {
    if (bits > address.size() * 8) {
        messages_.print("Too wide mask (/{}) for {} address\n", bits, address.kind == family::v4 ? "IPv4" : "IPv6");
        messages_.where(rule.mask_place != nullptr ? *rule.mask_place : *rule.place);
        return false;
    }
    address.port = 0;
    acl_entry_node entry{address, static_cast<std::uint8_t>(bits), rule.negated, rule.written};
    if (!clear_host_bits(rule, entry)) {
        return false;
    }
    auto at = position_of(entry);
    if (at == entries_.end() || compare_networks(at->entry, entry) != 0) {
        entries_.insert(at, {std::move(entry), rule.place});
        return true;
    }
    if (at->entry.negated == entry.negated) {
        return true;
    }
    messages_.print("Conflicting ACL entries:\n");
    messages_.where(*at->place);
    messages_.print("vs:\n");
    messages_.where(*rule.place);
    return false;
}

std::vector<acl_entries::placed>::iterator acl_entries::position_of(const acl_entry_node& entry) {
    return std::lower_bound(entries_.begin(), entries_.end(), entry,
                            [](const placed& p, const acl_entry_node& e) { return compare_networks(p.entry, e) < 0; });
}

void acl_entries::fold() {
    drop_contained();
    while (join_neighbours()) {
        drop_contained();
    }
}

void acl_entries::drop_contained() {
    // A network stands behind those inside it: seen from the end, the ones around an entry form a stack.
    std::vector<const placed*> around;
    std::vector<bool> dropped(entries_.size());
    for (std::size_t i = entries_.size(); i-- > 0;) {
        const placed& inner = entries_[i];
        while (!around.empty() && !contains(around.back()->entry, inner.entry)) {
            around.pop_back();
        }
        if (!around.empty() && !around.back()->entry.negated && !inner.entry.negated) {
            messages_.print("ACL entry:\n");
            messages_.where(*around.back()->place);
            messages_.print("supersedes / removes:\n");
            messages_.where(*inner.place);
            messages_.only_warning();
            dropped[i] = true;
        } else {
            around.push_back(&inner);
        }
    }
    std::size_t i = 0;
    std::erase_if(entries_, [&](const placed&) { return dropped[i++]; });
}

bool acl_entries::join_neighbours() {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        const acl_entry_node& left = entries_[i].entry;
        if (left.negated || left.bits == 0 || last_bit(left)) {
            continue;
        }
        acl_entry_node other = left;
        other.address.bytes[(left.bits - 1U) / 8] |= static_cast<std::uint8_t>(0x80U >> (left.bits - 1U) % 8);
        acl_entry_node joined = left;
        --joined.bits;
        const auto right = position_of(other);
        const auto taken = position_of(joined);
        const bool is_there = right != entries_.end() && compare_networks(right->entry, other) == 0;
        const bool is_taken = taken != entries_.end() && compare_networks(taken->entry, joined) == 0;
        if (!is_there || right->entry.negated || is_taken) {
            continue;
        }
        messages_.print("ACL entry:\n");
        messages_.where(*entries_[i].place);
        messages_.print("left of:\n");
        messages_.where(*right->place);
        messages_.print("removing the latter and expanding mask of the former by one to /{}\n", joined.bits);
        messages_.only_warning();
        joined.written = fmt::format("\"{}\"/{} fixed: folded", base::to_string(joined.address), joined.bits);
        const token* place = entries_[i].place;
        entries_.erase(right); // stands behind the left one
        entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
        entries_.insert(position_of(joined), {joined, place});
        return true;
    }
    return false;
}

void acl_entries::move_to(std::vector<acl_entry_node>& into) {
    for (placed& p : entries_) {
        into.push_back(std::move(p.entry));
    }
    entries_.clear();
}

} // namespace clearcoat::vcl::syntax
