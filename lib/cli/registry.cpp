#include "cli/registry.hpp"

#include "base/panic.hpp"

namespace clearcoat::cli {

namespace {

constexpr std::string_view unknown_request = "Unknown request.\nType 'help' for more info.\n";

bool wants_json(const words& command) {
    return command.size() > 1 && command[1] == "-j";
}

} // namespace

void registry::add(std::string_view verb, handler plain, handler json) {
    const tables::cli_verb* row = tables::find_cli_verb(verb);
    CLEARCOAT_ASSERT(row != nullptr);
    entries_.insert_or_assign(std::string(verb), entry{row, std::move(plain), std::move(json)});
}

void registry::add_internal(std::string_view verb, handler plain) {
    add(verb, std::move(plain));
    entries_.find(verb)->second.counts_itself = true;
}

void registry::run(const command_line& command, bool authenticated, reply& out) const {
    out.set(status::unknown);
    out.out(unknown_request);
    if (!command.error.empty()) {
        out.fail(status::syntax, "Syntax Error: {}\n", command.error);
        return;
    }
    if (command.words.empty()) {
        out.fail(status::syntax, "Empty CLI command.\n");
        return;
    }
    const std::string& name = command.words[0];
    if (!name.empty() && name[0] >= 'A' && name[0] <= 'Z') {
        out.fail(status::unknown, "all commands are in lower-case.\n");
        return;
    }
    if (name.empty() || name[0] < 'a' || name[0] > 'z') {
        return;
    }
    const auto at = entries_.find(name);
    if (at != entries_.end() && (authenticated || at->second.verb->before_auth)) {
        dispatch(at->second, command.words, out);
    } else if (at == entries_.end() && authenticated && fallback_) {
        out.clear();
        fallback_(command.words, out);
    }
}

void registry::dispatch(const entry& e, const words& command, reply& out) {
    out.clear();
    const bool json = wants_json(command);
    if (!json && !e.plain) {
        out.fail(status::unimplemented, "Unimplemented\n");
        return;
    }
    if (json && !e.json) {
        out.fail(status::unimplemented, "JSON unimplemented\n");
        return;
    }
    if (e.counts_itself) {
        e.plain(command, out);
        return;
    }
    const int count = static_cast<int>(command.size()) - 1 - (json ? 1 : 0);
    if (count < e.verb->min_arguments) {
        out.fail(status::too_few, "Too few parameters\n");
        return;
    }
    if (e.verb->max_arguments >= 0 && count > e.verb->max_arguments) {
        out.fail(status::too_many, "Too many parameters\n");
        return;
    }
    (json ? e.json : e.plain)(command, out);
}

void registry::help_entry(const entry& e, bool with_text, reply& out) {
    out.print("{}\n", e.verb->syntax);
    if (with_text) {
        out.print("{}\n", e.verb->help);
    }
}

void registry::help(const words& command, bool authenticated, reply& out) const {
    bool plain = true;
    bool debug = false;
    std::size_t at = 1;
    for (; at < command.size() && command[at].starts_with('-'); ++at) {
        if (command[at] != "-a" && command[at] != "-d") {
            out.fail(status::unknown, "Unknown flag\n");
            return;
        }
        debug = true;
        plain = command[at] == "-a";
    }
    for (const auto& [name, e] : entries_) {
        if (!authenticated && !e.verb->before_auth) {
            continue;
        }
        if (at < command.size() && command[at] == name) {
            help_entry(e, true, out);
            return;
        }
        if (at == command.size() && (e.verb->debug ? debug : plain)) {
            help_entry(e, false, out);
        }
    }
    if (at < command.size()) {
        out.fail(status::unknown, "{}", unknown_request);
    }
}

namespace {

void json_member(std::string_view name, std::string_view value, reply& out) {
    out.print("\"{}\": ", name);
    out.json_string(value);
    out.out(",\n");
}

void help_json_entry(const tables::cli_verb& verb, reply& out) {
    out.out(",\n  {\n");
    out.indent(2);
    json_member("request", verb.name, out);
    json_member("syntax", verb.syntax, out);
    json_member("help", verb.help, out);
    out.print("\"minarg\": {}", verb.min_arguments);
    out.out(",\n");
    out.print("\"maxarg\": {}", verb.max_arguments);
    out.out(",\n");
    json_member("flags", verb.debug ? "d" : "", out);
    out.print("\"json\": {}", verb.json);
    out.out("\n");
    out.indent(-2);
    out.out("}");
}

} // namespace

void registry::help_json(const words& command, bool authenticated, double now, reply& out) const {
    out.json_begin(command, now);
    for (const auto& [name, e] : entries_) {
        if (authenticated || e.verb->before_auth) {
            help_json_entry(*e.verb, out);
        }
    }
    out.json_end();
}

void answer_ping(double now, reply& out) {
    out.print("PONG {} 1.0", static_cast<long long>(now));
}

void answer_ping_json(const words& command, double now, reply& out) {
    out.json_begin(command, now);
    out.out(", \"PONG\"\n");
    out.json_end();
}

} // namespace clearcoat::cli
