// Vary: which request fields chose a response, and whether another request would have got the same. The specification
// is a flat block of bytes kept with the object, at any alignment; objects with equal specifications compare equal.
#pragma once

#include "base/arena.hpp"
#include "http/head.hpp"

#include <string_view>

namespace clearcoat::http {

struct vary_built {
    std::string_view spec;  // in the arena; empty: the response does not vary
    std::string_view error; // not empty: refused, in the words of the reference's Error record
};

/// The specification for a response with the Vary field of `response` that answered `request` (the backend request).
vary_built build_vary(const head& response, const head& request, base::arena& memory) noexcept;

/// The specification that the fields of `spec` would have for `request`: a guess of how a response under way will vary.
/// In the arena; empty when there was no room.
std::string_view refill_vary(std::string_view spec, const head& request, base::arena& memory) noexcept;

/// Whether `request` selects the object with this specification. With `gzip_support` (parameter http_gzip_support),
/// Accept-Encoding is not compared, since we unzip on delivery. An empty specification matches.
bool vary_matches(std::string_view spec, const head& request, bool gzip_support) noexcept;

} // namespace clearcoat::http
