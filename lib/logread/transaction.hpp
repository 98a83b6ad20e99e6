// What the log tells of: transactions, their kinds and how they hang together. The names are those of the Begin and
// Link records, see vsl(7).
#pragma once

#include "logread/record.hpp"

#include <optional>
#include <span>
#include <string_view>

namespace clearcoat::logread {

enum class transaction_type : std::uint8_t { unknown, sess, req, bereq, raw };
enum class transaction_reason : std::uint8_t { unknown, http_1, rxreq, esi, restart, pass, fetch, bgfetch, pipe };

std::string_view name_of(transaction_type type) noexcept;
std::string_view name_of(transaction_reason reason) noexcept;

/// A member of a group. Its records are valid until the receiver of the group returns.
struct transaction {
    unsigned level = 0; // 1 at the top of a group; 0 for a single record (raw)
    vxid_value vxid = 0;
    vxid_value parent = 0; // 0: none in this group
    transaction_type type = transaction_type::unknown;
    transaction_reason reason = transaction_reason::unknown;
    record_range records;
};

/// What belongs together: the top first, then level by level.
using group = std::span<const transaction>;

enum class grouping : std::uint8_t { raw, vxid, request, session };

std::string_view name_of(grouping how) noexcept;

struct grouping_choice {
    std::optional<grouping> how;
    bool ambiguous = false;
};
/// A grouping's name or an unambiguous beginning of it; case does not matter.
grouping_choice find_grouping(std::string_view name) noexcept;

/// "req 1001 rxreq": the text of Begin and Link records.
struct link_text {
    transaction_type type = transaction_type::unknown;
    vxid_value vxid = 0;
    transaction_reason reason = transaction_reason::unknown;
};
/// Empty when it has not all three words; words that are not known become `unknown`.
std::optional<link_text> parse_link(record r) noexcept;

} // namespace clearcoat::logread
