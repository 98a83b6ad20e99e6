// Lists in field values: elements between commas, parameters between semicolons, quality values. They reproduce the
// reference's readings, which are laxer than the RFCs. Views only, no memory.
#pragma once

#include "http/head.hpp"

#include <optional>
#include <string_view>

namespace clearcoat::http {

/// Takes the next element off `rest`, split at any character of `separators`, blanks trimmed; empty elements are
/// skipped. data() is nullptr at the end.
std::string_view next_element(std::string_view& rest, std::string_view separators) noexcept;

/// Whether `element` starts with the word `token` (without case; a quoted word with case) and the word ends there; then
/// `after` is what follows it, with blanks before it dropped.
bool starts_with_token(std::string_view element, std::string_view token, std::string_view& after) noexcept;

/// Looks for `token` among the elements of the comma-separated `value`. What follows it within its element
/// (";q=0.5", "=10", or empty), or std::nullopt when it is not there.
std::optional<std::string_view> find_token(std::string_view value, std::string_view token) noexcept;

/// The same for the first field of that name.
std::optional<std::string_view> find_token(const head& h, field_name name, std::string_view token) noexcept;
inline bool has_token(const head& h, field_name name, std::string_view token) noexcept {
    return find_token(h, name, token).has_value();
}

/// The quality of `token` in the first field of that name: 0 when it is not there, 1 without ";q=".
double quality_of(const head& h, field_name name, std::string_view token) noexcept;

/// Reads a directive like max-age of Cache-Control. std::nullopt: not there. data() is nullptr: there without "=value".
/// Otherwise the text behind "=" up to the end of the element.
std::optional<std::string_view> find_directive(const head& h, field_name name, std::string_view directive) noexcept;

} // namespace clearcoat::http
