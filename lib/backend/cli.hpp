// backend.list and backend.set_health: they work on the sets of all loaded VCLs and give the texts of the reference.
// Control thread.
#pragma once

#include "backend/backend_set.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::backend {

struct cli_answer {
    int status = 200; // CLI status: 200, or 106 for a wrong argument
    /// How `text` goes out: as it is; as lines with tabs between the columns, to be aligned; or as what stands behind
    /// the JSON head (version 3) and its ",\n".
    enum class form : std::uint8_t { plain, table, json };
    form layout = form::plain;
    std::string text;
};

struct cli_view {
    std::span<backend_set* const> sets; // of all loaded VCLs, in their order
    std::string_view active;            // name of the active VCL
    base::seconds now = 0;              // seconds since the epoch
};

/// `words` are the command's, "backend.list" first: backend.list [-j] [-p] [pattern].
cli_answer backend_list(const cli_view& view, std::span<const std::string> words);

/// backend.set_health <pattern> auto|healthy|sick.
cli_answer backend_set_health(const cli_view& view, std::span<const std::string> words);

} // namespace clearcoat::backend
