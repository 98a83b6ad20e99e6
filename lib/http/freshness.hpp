// How long a response may be served: the reference's arithmetic over Age, Date, Expires and Cache-Control, which is not
// RFC 9111's in every corner. VCL may change the result afterwards.
#pragma once

#include "base/clock.hpp"
#include "http/head.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace clearcoat::http {

/// The parameters of the same names, in seconds.
struct freshness_defaults {
    base::seconds default_ttl = 120;
    base::seconds default_grace = 10;
    base::seconds default_keep = 0;
    base::seconds clock_skew = 10;
};

struct freshness {
    base::seconds origin = 0; // t_origin: when the response was made, by our clock
    base::seconds ttl = 0;    // from origin; -1 for statuses that are not cacheable by themselves
    base::seconds grace = 0;
    base::seconds keep = 0;
    // What the log line shows besides.
    base::seconds now = 0;
    base::seconds date = 0;    // 0: none
    base::seconds expires = 0; // 0: none
    unsigned max_age = 0;
    bool is_private = false; // for a pass: no TTL record is written

    /// The text of the TTL record "RFC …", written to `room` (160 bytes suffice).
    std::string_view write_record(bool cacheable, std::span<char> room) const noexcept;
};

/// `now` is when the head came in (seconds since the epoch). `is_private`: the object serves one client (pass), so only
/// origin is computed and ttl is -1.
freshness compute_freshness(const head& response, base::seconds now, const freshness_defaults& defaults,
                            bool is_private) noexcept;

/// Delta-seconds as the reference reads them: 0 for junk and negatives, at most 2^32-1; a fraction is dropped.
unsigned parse_delta_seconds(std::string_view text) noexcept;

} // namespace clearcoat::http
