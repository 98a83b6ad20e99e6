// Sets of record types, and the globs by which users name them ("Req*", "ReqURL,BereqURL"): -i and its kin, and the
// left side of queries.
#pragma once

#include "tables/log_tags.hpp"

#include <bitset>
#include <cstdint>
#include <string_view>

namespace clearcoat::logread {

class tag_set {
  public:
    bool has(log_tag tag) const noexcept { return bits_[static_cast<std::size_t>(tag)]; }
    void add(log_tag tag) noexcept { bits_.set(static_cast<std::size_t>(tag)); }
    void add_all() noexcept { bits_.set(); }
    tag_set& operator|=(const tag_set& other) noexcept {
        bits_ |= other.bits_;
        return *this;
    }
    void remove(const tag_set& other) noexcept { bits_ &= ~other.bits_; }

  private:
    std::bitset<256> bits_;
};

enum class tag_verdict : std::uint8_t { found, none, ambiguous, syntax };

/// One tag, by its name or an unambiguous beginning of it; case does not matter.
tag_verdict find_tag(std::string_view name, log_tag& tag) noexcept;
/// Adds the tags that `glob` names: a name, an unambiguous beginning of one, or a pattern with one '*'.
tag_verdict add_glob(std::string_view glob, tag_set& tags) noexcept;
/// Adds those of a list with commas. What stands before a wrong member stays added.
tag_verdict add_globs(std::string_view list, tag_set& tags) noexcept;

} // namespace clearcoat::logread
