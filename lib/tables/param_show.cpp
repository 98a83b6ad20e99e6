// How parameters are printed for people: param.show in its short and long form, and the reference in reStructuredText.
#include "tables/param_values.hpp"

#include "base/ascii.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace clearcoat::tables {
namespace {

constexpr std::size_t margin = 8;
constexpr std::size_t line_width = 72;
constexpr std::size_t table_margin = margin + 3;
constexpr unsigned status_param = 106;
constexpr unsigned status_too_many = 105;

struct flag_note {
    std::uint16_t flag;
    std::string_view note;
};

constexpr flag_note flag_notes[] = {
    {pf_obj_sticky,
     "NB: Objects take the value when they are made. Those in the cache keep theirs until they are banned "
     "or the child restarts."},
    {pf_delayed_effect, "NB: It can take a while until a change shows."},
    {pf_experimental,
     "NB: Few people have changed this one yet, and the default may not be the best. Go carefully, and "
     "tell us what you find."},
    {pf_must_reload, "NB: A change holds for VCL that is loaded afterwards."},
    {pf_must_restart, "NB: A change takes effect when the child process is started again."},
    {pf_wizard, "NB: Better leave this one alone unless a developer has asked for a change."},
    {pf_only_root, "NB: This works only for a varnishd that root has started."},
    {pf_build_options, "NB: The default was chosen when the program was built."},
};
constexpr std::string_view not_available_note = "NB: This platform lacks what the parameter needs.";
constexpr std::string_view some_platforms_note = "NB: Not every platform has what the parameter needs.";

/// Adds words separated by spaces, breaking before the line's width; `column` is where the first one begins.
void add_words(std::string& out, std::string_view words, std::size_t column, std::size_t indent) {
    bool first = true;
    while (!words.empty() || first) {
        std::size_t space = words.find(' ');
        std::string_view word = words.substr(0, space);
        if (!first && column + 1 + word.size() >= line_width) {
            out += '\n';
            out.append(indent, ' ');
            column = indent;
        } else if (!first) {
            out += ' ';
            ++column;
        }
        out += word;
        column += word.size();
        first = false;
        if (space == std::string_view::npos) {
            return;
        }
        words.remove_prefix(space + 1);
    }
}

/// The width of the first column of the table rows in `text`.
std::size_t table_width(std::string_view text) noexcept {
    std::size_t width = 18;
    for (std::size_t at = text.find("\n\t"); at != std::string_view::npos; at = text.find("\n\t", at + 2)) {
        width = std::max(width, text.find('\t', at + 2) - (at + 2));
    }
    return width + 2;
}

void add_row(std::string& out, std::string_view row, std::size_t width) {
    std::size_t tab = row.find('\t');
    out.append(table_margin, ' ');
    out += row.substr(0, tab);
    out.append(width - tab, ' ');
    add_words(out, row.substr(tab + 1), table_margin + width, table_margin + width);
}

/// Adds a text wrapped to the width of the long form, without a newline at its end.
void add_wrapped(std::string& out, std::string_view text) {
    std::size_t width = table_width(text);
    while (true) {
        std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (!line.empty() && line[0] == '\t') {
            add_row(out, line.substr(1), width);
        } else if (!line.empty()) {
            out.append(margin, ' ');
            add_words(out, line, margin, margin);
        }
        if (end == std::string_view::npos) {
            return;
        }
        out += '\n';
        text.remove_prefix(end + 1);
    }
}

std::size_t name_width() noexcept {
    std::size_t width = 0;
    for (const param_row& row : param_rows()) {
        width = std::max(width, row.name.size() + 1);
    }
    return width;
}

} // namespace

bool parameter_set::is_default(const param_row& row) const {
    return row.kind != param_kind::alias && value_text(row.id) == slot_of(row.id).def;
}

void parameter_set::show_limits(const param_row& row, std::string& out) const {
    const slot& s = slot_of(row.id);
    if (row.kind != param_kind::alias && !is_default(row)) {
        out += fmt::format("        Default is: {}\n", s.def);
    }
    if (!s.min.empty()) {
        out += fmt::format("        Minimum is: {}\n", s.min);
    }
    if (!s.max.empty()) {
        out += fmt::format("        Maximum is: {}\n", s.max);
    }
}

void parameter_set::show_one(const param_row& row, bool long_form, std::string& out) const {
    if ((row.flags & pf_not_implemented) != 0) {
        if (long_form) {
            out += fmt::format("{}\n        Not available\n\n\n\n", row.name);
            add_wrapped(out, not_available_note);
            out += "\n\n";
        } else {
            out += fmt::format("{:<{}}-\n", row.name, name_width());
        }
        return;
    }
    std::string value = value_text(row.id);
    std::string unit = row.unit.empty() ? "" : fmt::format(" [{}]", row.unit);
    std::string_view note = is_default(row) ? " (default)" : "";
    if (!long_form) {
        out += fmt::format("{:<{}}{}{}{}\n", row.name, name_width(), value, unit, note);
        return;
    }
    out += fmt::format("{}\n        Value is: {}{}{}\n", row.name, value, unit, note);
    if (row.kind == param_kind::alias) {
        out += fmt::format("        Alias of: {}\n", row.def);
    }
    show_limits(row, out);
    out += '\n';
    add_wrapped(out, text_of(row));
    for (const flag_note& n : flag_notes) {
        if ((row.flags & n.flag) != 0) {
            out += "\n\n";
            add_wrapped(out, n.note);
        }
    }
    out += "\n\n";
}

param_answer parameter_set::show(std::span<const std::string_view> arguments) const {
    bool long_form = false;
    bool changed = false;
    std::string_view wanted;
    for (std::string_view argument : arguments) {
        if (argument == "-l") {
            long_form = true;
        } else if (argument == "changed") {
            changed = true;
        } else if (!wanted.empty()) {
            return {status_too_many, "Too many parameters"};
        } else {
            wanted = argument;
            long_form = true;
        }
    }
    param_answer answer;
    bool found = wanted.empty();
    for (const param_row& row : param_rows()) {
        bool named = row.name == wanted;
        if ((wanted.empty() ? row.kind == param_kind::alias : !named)) {
            continue;
        }
        found = true;
        if (!changed || !is_default(row)) {
            show_one(row, long_form, answer.text);
        }
    }
    if (!found) {
        return {status_param, fmt::format("Unknown parameter \"{}\".", wanted)};
    }
    return answer;
}

namespace {

struct flag_word {
    std::uint16_t flag;
    std::string_view word;
};
constexpr flag_word described_flags[] = {
    {pf_delayed_effect, "delayed"},  {pf_must_restart, "must_restart"},
    {pf_must_reload, "must_reload"}, {pf_experimental, "experimental"},
    {pf_wizard, "wizard"},           {pf_only_root, "only_root"},
    {pf_obj_sticky, "obj_sticky"},
};

void describe_text(const std::string& text, std::string& out) {
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = std::min(text.find('\n', at), text.size());
        std::string line = text.substr(at, end - at);
        std::size_t tab = line.empty() || line[0] != '\t' ? std::string::npos : line.find('\t', 1);
        if (tab != std::string::npos) {
            out += fmt::format("\n\t*{}*\n\t\t{}", line.substr(1, tab - 1), line.substr(tab + 1));
        } else {
            out += line;
        }
        out += end < text.size() ? "\n" : "";
        at = end + 1;
    }
}

} // namespace

void parameter_set::describe_one(const param_row& row, std::string& out) const {
    const slot& s = slot_of(row.id);
    out += fmt::format(".. _ref_param_{0}:\n\n{0}\n{1}\n", row.name, std::string(row.name.size(), '~'));
    if ((row.flags & pf_platform_dependent) != 0) {
        out += fmt::format("\n{}\n\n", some_platforms_note);
    }
    if ((row.flags & pf_build_options) != 0) {
        out += fmt::format("\n{}\n\n", flag_notes[std::size(flag_notes) - 1].note);
    }
    out += row.unit.empty() ? "" : fmt::format("\t* Units: {}\n", row.unit);
    out += fmt::format("\t* Default: {}\n", s.def);
    std::string_view reason = min_reason(row.id);
    out += s.min.empty() ? "" : fmt::format("\t* Minimum: {}\n", reason.empty() ? s.min : reason);
    reason = max_reason(row.id);
    out += s.max.empty() ? "" : fmt::format("\t* Maximum: {}\n", reason.empty() ? s.max : reason);
    std::string flags;
    for (const flag_word& f : described_flags) {
        if ((row.flags & f.flag) != 0) {
            flags += flags.empty() ? "" : ", ";
            flags += f.word;
        }
    }
    out += flags.empty() ? "" : fmt::format("\t* Flags: {}\n", flags);
    out += '\n';
    describe_text(text_of(row), out);
    out += "\n\n";
}

std::string parameter_set::describe() const {
    std::string out = "\n.. The parameters, as varnishd -x parameter prints them\n\n";
    for (const param_row& row : param_rows()) {
        if (row.kind != param_kind::alias) {
            describe_one(row, out);
        }
    }
    return out;
}

} // namespace clearcoat::tables
