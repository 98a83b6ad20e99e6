// Field names known by a small number, so that looking for one is a comparison of integers. The numbers live in memory
// and in packed heads of this process only; they are no format for outsiders. Constant data, any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace clearcoat::http {

enum class field_id : std::uint8_t {
    other, // any name that is not in the table
#define FIELD(identifier, name, uses) identifier,
#include "http/field_names.def"
#undef FIELD
    count
};

/// The kinds of copies of a head that leave fields out. They are bits, and usable as a set.
enum class filter_use : std::uint8_t {
    none = 0,
    request_pass = 1,        // client request → backend request, pass mode
    request_fetch = 2,       // client request → backend request, cacheable
    response_insert = 4,     // backend response → object in the cache
    response_pass = 8,       // backend response → private object of a pass
    connection_specific = 16 // to a protocol that has no connection fields (HTTP/2)
};

/// The names by number, as the table writes them.
inline constexpr std::string_view field_texts[] = {
    "",
#define FIELD(identifier, name, uses) name,
#include "http/field_names.def"
#undef FIELD
};
/// The name as the table writes it; empty for field_id::other.
constexpr std::string_view name_of(field_id id) noexcept {
    return field_texts[static_cast<std::size_t>(id)];
}

/// The number of `name`, compared without case, or field_id::other. `name` consists of token characters (it may hold
/// other characters too, but no control characters).
field_id find_field_id(std::string_view name) noexcept;

/// Whether a copy of the kind `use` leaves the field out.
bool is_filtered(field_id id, filter_use use) noexcept;

/// Whether a `Connection` field that names this field makes the message bad: it would remove a field that must pass.
/// The reference up to 7.1.1 refuses only a few of them; its later security fix refuses all, and so do we.
bool may_not_be_named_by_connection(field_id id) noexcept;

/// A name to look for. The number is found once when it is built; keep it where the name is known beforehand.
struct field_name {
    std::string_view text;
    field_id id;

    field_name(field_id known) noexcept : text(name_of(known)), id(known) {}
    field_name(std::string_view name) noexcept : text(name), id(find_field_id(name)) {}
    field_name(const char* name) noexcept : field_name(std::string_view(name)) {}
};

} // namespace clearcoat::http
