// What varnishhist draws: which number of which record, and the powers of ten it lies between.
#pragma once

#include "tables/log_tags.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace clearcoat::varnishhist {

struct profile {
    char side = 'c'; // c: client, b: backend, E: client with ESI
    log_tag tag{};
    std::string prefix; // what the record begins with; empty: anything
    int field = 1;      // 1 is the first word
    int low = -6;       // powers of ten
    int high = 3;
};

/// A predefined one ("responsetime") or a definition "[cbE:]tag:[prefix]:field[:low:high]". Empty with the reference's
/// message in `error` when it is neither.
std::optional<profile> parse_profile(std::string_view text, std::string& error);

} // namespace clearcoat::varnishhist
