#include "backend/cli.hpp"

#include "base/date.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/core.h>
#include <fnmatch.h>
#include <strings.h>

namespace clearcoat::backend {

namespace {

using director = vcl::director;

cli_answer wrong(std::string text) {
    cli_answer made;
    made.status = 106;
    made.text = std::move(text);
    return made;
}

/// Visits the directors whose "vcl.name" matches; a pattern without a point means the active VCL. How many did.
template<class F>
int each_match(const cli_view& view, std::string_view pattern, F visit) {
    const bool active_only = pattern.empty() || pattern.find('.') == pattern.npos;
    const std::string glob =
        active_only ? fmt::format("{}.{}", view.active, pattern.empty() ? "*" : pattern) : std::string(pattern);
    int found = 0;
    for (backend_set* set : view.sets) {
        if (active_only && set->vcl_name() != view.active) {
            continue;
        }
        set->each([&](director& d) {
            const std::string name = fmt::format("{}.{}", set->vcl_name(), d.name());
            if (::fnmatch(glob.c_str(), name.c_str(), 0) == 0) {
                ++found;
                visit(name, d);
            }
        });
    }
    return found;
}

std::string_view admin_word(const director& d) noexcept {
    switch (d.admin()) {
    case director::admin_health::healthy:
        return "healthy";
    case director::admin_health::sick:
        return "sick";
    case director::admin_health::automatic:
        return d.probed() ? "probe" : "healthy";
    }
    return "";
}

// DIFFERS: a probe's change of health counts as a change here; the reference shows the time of the load for it.
base::seconds last_change(director& d) noexcept {
    return d.admin() == director::admin_health::automatic ? std::max(d.changed(), d.state(nullptr).changed)
                                                          : d.changed();
}

std::string date_of(base::seconds when) {
    std::array<char, base::date_size> room;
    return std::string(base::format_date(when, room));
}

struct list_flags {
    bool json = false;
    bool probes = false;
    std::string_view pattern;
};

std::optional<list_flags> parse_flags(std::span<const std::string> words, cli_answer& error) {
    list_flags flags;
    std::size_t i = 1;
    for (; i < words.size() && words[i].starts_with('-'); ++i) {
        for (const char letter : std::string_view(words[i]).substr(1)) {
            if (letter == 'j') {
                flags.json = true;
            } else if (letter == 'p') {
                flags.probes = !flags.probes;
            } else {
                error = wrong(fmt::format("Invalid flag {}", letter));
                return std::nullopt;
            }
        }
    }
    if (i + 1 < words.size()) {
        error = wrong("Too many arguments");
        return std::nullopt;
    }
    flags.pattern = i < words.size() ? std::string_view(words[i]) : std::string_view();
    return flags;
}

std::string table_of(const cli_view& view, const list_flags& flags) {
    std::string out = "Backend name\tAdmin\tProbe\tHealth\tLast change\n";
    each_match(view, flags.pattern, [&](const std::string& name, director& d) {
        out +=
            fmt::format("{}\t{}\t{}\t{}", name, admin_word(d), d.list(director::listing::row), date_of(last_change(d)));
        if (flags.probes) {
            out += d.list(director::listing::details);
        }
        out += '\n';
    });
    return out;
}

/// Shifts every line of `text` but the first by two columns.
std::string indented(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        out += text[i];
        if (text[i] == '\n' && i + 1 < text.size()) {
            out += "  ";
        }
    }
    return out;
}

std::string json_of(const cli_view& view, const list_flags& flags) {
    std::string out;
    each_match(view, flags.pattern, [&](const std::string& name, director& d) {
        std::string entry = fmt::format("\"{}\": {{\n  \"type\": \"{}\",\n  \"admin_health\": \"{}\",\n"
                                        "  \"probe_message\": {},\n",
                                        name, d.kind(), admin_word(d), d.list(director::listing::json));
        if (flags.probes) {
            entry += "  \"probe_details\": " + indented(d.list(director::listing::json_details));
        }
        entry += fmt::format("  \"last_change\": {:.3f}\n}}", last_change(d));
        out += out.empty() ? "" : ",\n  ";
        out += indented(entry);
    });
    return "{\n  " + out + "\n}";
}

} // namespace

cli_answer backend_list(const cli_view& view, std::span<const std::string> words) {
    cli_answer answer;
    const auto flags = parse_flags(words, answer);
    if (flags) {
        answer.layout = flags->json ? cli_answer::form::json : cli_answer::form::table;
        answer.text = flags->json ? json_of(view, *flags) : table_of(view, *flags);
    }
    return answer;
}

cli_answer backend_set_health(const cli_view& view, std::span<const std::string> words) {
    director::admin_health to = director::admin_health::automatic;
    if (::strcasecmp(words[2].c_str(), "healthy") == 0) {
        to = director::admin_health::healthy;
    } else if (::strcasecmp(words[2].c_str(), "sick") == 0) {
        to = director::admin_health::sick;
    } else if (::strcasecmp(words[2].c_str(), "auto") != 0) {
        return wrong(fmt::format("Invalid state {}", words[2]));
    }
    const int found = each_match(view, words[1], [&](const std::string&, director& d) {
        if (d.admin() != to) {
            d.set_admin(to, view.now);
        }
    });
    return found == 0 ? wrong("No Backends matches") : cli_answer();
}

} // namespace clearcoat::backend
