// The record types of the shared-memory log, as varnishlog prints them. The numbers are part of the format that
// libvarnishapi 7.1 reads. Enumerators carry the names users see, so that a search finds both.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace clearcoat {

enum class log_tag : std::uint8_t {
    bogus = 0,
#define CLEARCOAT_LOG_TAG(number, name, kind) name = number,
#include "tables/log_tags.def"
    reserved = 254, // marks in the ring: its end and its wrap
    batch = 255     // the head of a batch of records in the ring
};

namespace tables {

enum class log_tag_kind : std::uint8_t { plain, unused, unsafe, binary };

/// One more than the highest tag a task writes.
inline constexpr unsigned log_tag_count = 97;

/// The tag's name ("ReqHeader"), or an empty view for a number without a tag.
std::string_view name_of(log_tag tag) noexcept;
/// What readers must expect in the record's text.
log_tag_kind kind_of(log_tag tag) noexcept;
/// The tag of a name; case does not matter.
std::optional<log_tag> find_log_tag(std::string_view name) noexcept;

} // namespace tables
} // namespace clearcoat
