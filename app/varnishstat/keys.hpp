// The keys of varnishstat's screen: what they do, and what the help screen and --bindings say of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace clearcoat::varnishstat {

enum class action : unsigned char {
    help,
    up,
    down,
    page_up,
    page_down,
    top,
    bottom,
    unseen,
    raw,
    scale,
    verbose,
    quiet,
    quit,
    sample,
    restart_averages,
    slower,
    faster,
    interrupt,
    suspend
};

/// What a key, as curses names it, does; empty for other keys.
std::optional<action> action_of(int key) noexcept;

struct help_line {
    bool heading = false; // the keys; else what they do
    std::string text;
};
std::vector<help_line> help_lines();

/// The same, as --bindings prints it.
std::string bindings_text();

} // namespace clearcoat::varnishstat
