// Replacing by regular expression, as regsub() and regsuball() do it. Modules use it too.
#pragma once

#include "base/arena.hpp"
#include "base/regex.hpp"

#include <string_view>

namespace clearcoat::vcl {

struct regsub_result {
    std::string_view text;         // `subject` itself when nothing matched, else in the workspace
    const char* failure = nullptr; // why there is none
};

/// Replaces the first match, or all of them. In `replacement`, \0 to \9 stand for the groups and \\ for a backslash.
regsub_result regsub(base::arena& workspace, const base::regex& re, std::string_view subject,
                     std::string_view replacement, bool all, base::regex_limits limits) noexcept;

} // namespace clearcoat::vcl
