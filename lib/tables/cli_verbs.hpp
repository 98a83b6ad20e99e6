// The management commands: one table for dispatch, help, the -x listing and the manuals. Layout and names are
// compatible with varnish-cli(7); the texts are our own.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace clearcoat::tables {

/// Which process runs a command.
enum class cli_side : std::uint8_t { manager, worker, both };

struct cli_verb {
    std::string_view name;
    std::string_view syntax; // as `help` lists it
    std::string_view help;   // one sentence
    std::string_view doc;    // more, reStructuredText, for -x cli; may be empty
    int min_arguments;
    int max_arguments; // -1: no limit; "-j" is not counted
    cli_side side;
    bool json = false;        // takes -j
    bool before_auth = false; // allowed without authentication
    bool debug = false;       // listed by help -d and help -a only
};

/// All commands, sorted by name.
std::span<const cli_verb> cli_verbs() noexcept;
/// nullptr when there is none of that name.
const cli_verb* find_cli_verb(std::string_view name) noexcept;

} // namespace clearcoat::tables
