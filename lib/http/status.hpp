// Reason phrases by status code, as the reference prints them (RFC 2616's names where it has them).
#pragma once

#include <string_view>

namespace clearcoat::http {

/// The phrase for `status` % 1000; "Unknown HTTP Status" for others.
std::string_view reason_phrase(unsigned status) noexcept;

/// The three digits of `status` % 1000, which is at least 100; a constant text.
std::string_view status_digits(unsigned status) noexcept;

} // namespace clearcoat::http
