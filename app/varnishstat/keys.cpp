#include "keys.hpp"

#include "terminal/screen.hpp"

#include <array>
#include <sstream>

#include <ncurses.h>

namespace clearcoat::varnishstat {
namespace {

using terminal::control;

struct row {
    action what;
    std::array<int, 3> keys; // 0: none
    const char* names;
    const char* meaning;
};

constexpr std::array rows{
    row{action::help, {'h'}, "<h>", "Toggle the help screen."},
    row{action::up, {KEY_UP, 'k'}, "<UP> or <k>", "Navigate the counter list one line up."},
    row{action::down, {KEY_DOWN, 'j'}, "<DOWN> or <j>", "Navigate the counter list one line down."},
    row{action::page_up,
        {KEY_PPAGE, 'b', control('b')},
        "<PAGEUP> or <b> or <CTRL-B>",
        "Navigate the counter list one page up."},
    row{action::page_down,
        {KEY_NPAGE, ' ', control('f')},
        "<PAGEDOWN> or <SPACE> or <CTRL-F>",
        "Navigate the counter list one page down."},
    row{action::top, {KEY_HOME, 'g'}, "<HOME> or <g>", "Navigate the counter list to the top."},
    row{action::bottom, {KEY_END, 'G'}, "<END> or <G>", "Navigate the counter list to the bottom."},
    row{action::unseen,
        {'d'},
        "<d>",
        "Show or hide counters that were zero since this screen began.\nThey are hidden at first."},
    row{action::raw,
        {'r'},
        "<r>",
        "Show gauges as they are, or adjusted. One that fell below nothing is\na huge number; adjusted, as at first, "
        "it is zero."},
    row{action::scale, {'e'}, "<e>", "Show values with units (K, M, G), or in full."},
    row{action::verbose,
        {'v'},
        "<v>",
        "Show more counters: informational only at first, then diagnostic,\nthen debugging ones too."},
    row{action::quiet, {'V'}, "<V>", "Show fewer counters."},
    row{action::quit, {'q'}, "<q>", "Quit."},
    row{action::sample, {control('t')}, "<CTRL+T>", "Sample now."},
    row{action::restart_averages, {'0'}, "<0>", "Begin the averages anew."},
    row{action::slower, {'+'}, "<+>", "Increase refresh interval."},
    row{action::faster, {'-'}, "<->", "Decrease refresh interval."},
    row{action::interrupt, {control('c')}, nullptr, nullptr},
    row{action::suspend, {control('z')}, nullptr, nullptr},
};

} // namespace

std::optional<action> action_of(int key) noexcept {
    for (const row& r : rows) {
        for (const int k : r.keys) {
            if (k != 0 && k == key) {
                return r.what;
            }
        }
    }
    return std::nullopt;
}

std::vector<help_line> help_lines() {
    std::vector<help_line> lines;
    for (const row& r : rows) {
        if (r.names == nullptr) {
            continue;
        }
        lines.push_back({true, r.names});
        std::istringstream meaning(r.meaning);
        for (std::string line; std::getline(meaning, line);) {
            lines.push_back({false, line});
        }
    }
    return lines;
}

std::string bindings_text() {
    std::string text;
    for (const help_line& line : help_lines()) {
        text += line.heading ? line.text + "\n\n" : "\t" + line.text + "\n";
        text += line.heading ? "" : "\n";
    }
    return text;
}

} // namespace clearcoat::varnishstat
