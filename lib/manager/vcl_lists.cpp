// vcl.list, vcl.deps, vcl.symtab, and vcl.discard.
#include "manager/vcl_store.hpp"

#include <algorithm>
#include <fnmatch.h>

namespace clearcoat::manager {

namespace {

constexpr std::size_t most_shown = 5;

} // namespace

void vcl_store::list_row(const entry& e, std::string& lines) const {
    const std::size_t users = e.needed_by.size();
    lines += fmt::format("{}\t{}\t{}\t{:>6}\t{}", &e == active_ ? "active" : "available", text_of(e.kept),
                         e.warm ? "warm" : "cold", "-", e.name);
    if (e.kept == state::label) {
        lines += "\t->\t" + e.needs.at(0)->name;
        if (users > 0) {
            lines += fmt::format(" ({} return(vcl){})", users, users > 1 ? "'s" : "");
        }
    } else if (users > 0) {
        lines += fmt::format("\t<-\t({} label{})", users, users > 1 ? "s" : "");
    }
    lines += '\n';
}

// A running worker knows more: temperatures and tasks. Both print the same layout.
void vcl_store::cmd_list(const cli::words&, cli::reply& out) {
    if (worker_.has_worker()) {
        const auto got = worker_.link().ask("vcl.list");
        out.set(got.code);
        out.out(got.text);
        return;
    }
    std::string lines;
    for (const entry& e : entries_) {
        list_row(e, lines);
    }
    out.table(lines);
}

void vcl_store::list_json_row(const entry& e, cli::reply& out) const {
    out.out(",\n");
    out.out("{\n");
    out.indent(2);
    out.print("\"status\": \"{}\",\n", &e == active_ ? "active" : "available");
    out.print("\"state\": \"{}\",\n", text_of(e.kept));
    out.print("\"temperature\": \"{}\",\n", e.warm ? "warm" : "cold");
    out.print("\"name\": \"{}\"", e.name);
    if (e.kept == state::label) {
        out.out(",\n");
        out.out("\"label\": {\n");
        out.indent(2);
        out.print("\"name\": \"{}\"", e.needs.at(0)->name);
        if (!e.needed_by.empty()) {
            out.print(",\n\"refs\": {}", e.needed_by.size());
        }
        out.indent(-2);
        out.out("\n");
        out.out("}");
    } else if (!e.needed_by.empty()) {
        out.out(",\n");
        out.print("\"labels\": {}", e.needed_by.size());
    }
    out.indent(-2);
    out.out("\n}");
}

void vcl_store::cmd_list_json(const cli::words& w, cli::reply& out) {
    if (worker_.has_worker()) {
        const auto got = worker_.link().ask("vcl.list -j");
        out.set(got.code);
        out.out(got.text);
        return;
    }
    out.json_begin(w, base::system_clock().real());
    for (const entry& e : entries_) {
        list_json_row(e, out);
    }
    out.json_end();
}

void vcl_store::cmd_deps(const cli::words&, cli::reply& out) {
    std::string lines;
    for (const entry& e : entries_) {
        if (e.needs.empty()) {
            lines += e.name + "\n";
        }
        for (const entry* needed : e.needs) {
            lines += e.name + "\t" + needed->name + "\n";
        }
    }
    out.table(lines);
}

void vcl_store::cmd_deps_json(const cli::words& w, cli::reply& out) {
    out.json_begin(w, base::system_clock().real(), 1);
    for (const entry& e : entries_) {
        out.out(",\n");
        out.out("{\n");
        out.indent(2);
        out.print("\"name\": \"{}\",\n", e.name);
        out.out("\"deps\": [");
        out.indent(2);
        for (std::size_t i = 0; i < e.needs.size(); ++i) {
            out.print("{}\n", i > 0 ? "," : "");
            out.print("\"{}\"", e.needs[i]->name);
        }
        out.indent(-2);
        out.out(e.needs.empty() ? "" : "\n");
        out.out("]\n");
        out.indent(-2);
        out.out("}");
    }
    out.json_end();
}

void vcl_store::cmd_symtab(const cli::words&, cli::reply& out) {
    for (const entry& e : entries_) {
        if (e.kept == state::label) {
            out.print("Label: {}\n  vcl: {}\n", e.name, e.needs.at(0)->name);
            continue;
        }
        out.print("Vcl: {}\n", e.name);
        for (const auto& source : e.bundle.sources) {
            out.print("  source: {} ({} bytes)\n", source.name, source.text.size());
        }
        for (const entry* needed : e.needs) {
            out.print("  label: {}\n", needed->name);
        }
    }
}

bool vcl_store::mark_for_discard(const std::string& pattern, std::vector<entry*>& marked, cli::reply& out) {
    bool matched = false;
    for (entry& e : entries_) {
        if (::fnmatch(pattern.c_str(), e.name.c_str(), 0) != 0) {
            continue;
        }
        if (&e == active_) {
            out.fail(cli::status::cannot, "Cannot discard active VCL program {}\n", e.name);
            return false;
        }
        if (!e.discard) {
            marked.push_back(&e);
        }
        e.discard = true;
        matched = true;
    }
    if (!matched) {
        out.fail(cli::status::parameter, "No VCL name matches {}\n", pattern);
    }
    return matched;
}

bool vcl_store::may_discard(const std::vector<entry*>& marked, cli::reply& out) const {
    for (const entry* e : marked) {
        if (std::all_of(e->needed_by.begin(), e->needed_by.end(), [](const entry* user) { return user->discard; })) {
            continue;
        }
        if (e->kept == state::label) {
            out.fail(cli::status::cannot, "Cannot discard VCL label {}, other VCLs depend on it:\n", e->name);
        } else {
            out.fail(cli::status::cannot, "Cannot discard labeled VCL program {}:\n", e->name);
        }
        for (std::size_t i = 0; i < e->needed_by.size(); ++i) {
            if (i == most_shown) {
                out.out("\t[...]");
                break;
            }
            out.print("\t{}\n", e->needed_by[i]->name);
        }
        return false;
    }
    return true;
}

void vcl_store::discard(entry& e, cli::reply& out) {
    while (!e.needed_by.empty()) {
        discard(*e.needed_by.front(), out);
    }
    if (e.kept != state::label) {
        set_state(e, state::cold, &out);
    }
    if (worker_.has_worker()) {
        worker_.link().ask("vcl.discard " + e.name);
    }
    erase(e);
}

void vcl_store::cmd_discard(const cli::words& w, cli::reply& out) {
    std::vector<entry*> marked;
    bool agreed = true;
    for (std::size_t i = 1; i < w.size() && agreed; ++i) {
        agreed = mark_for_discard(w[i], marked, out);
    }
    agreed = agreed && may_discard(marked, out);
    std::vector<std::string> names;
    for (entry* e : marked) {
        names.push_back(e->name);
        e->discard = agreed;
    }
    for (const std::string& name : names) {
        // One of the others may have taken it along.
        if (entry* e = by_name(name); agreed && e != nullptr) {
            discard(*e, out);
        }
    }
}

} // namespace clearcoat::manager
