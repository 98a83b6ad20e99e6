// vcl.* of the worker. The manager has checked names and rules; what fails here is the VCL itself.
#include "worker/control.hpp"

#include "vcl/vm/instance.hpp"
#include "vcl/vm/program.hpp"
#include "worker/vcl_loader.hpp"

namespace clearcoat::worker {

namespace {

// An empty text is success.
void tell(const std::string& failure, cli::reply& out) {
    if (!failure.empty()) {
        out.fail(cli::status::cannot, "{}", failure);
    }
}

} // namespace

void control::add_vcl_commands() {
    commands_.add_internal("vcl.load", [this](const cli::words& w, cli::reply& out) { load_vcl(w, out); });
    commands_.add("vcl.state",
                  [this](const cli::words& w, cli::reply& out) { tell(vcls_.set_state(w[1], w[2]), out); });
    commands_.add("vcl.use", [this](const cli::words& w, cli::reply& out) { tell(vcls_.use(w[1]), out); });
    commands_.add("vcl.discard", [this](const cli::words& w, cli::reply& out) { tell(vcls_.discard(w[1]), out); });
    commands_.add("vcl.label", [this](const cli::words& w, cli::reply& out) { tell(vcls_.label(w[1], w[2]), out); });
    commands_.add(
        "vcl.list", [this](const cli::words&, cli::reply& out) { list_vcls(out); },
        [this](const cli::words& w, cli::reply& out) { list_vcls_json(w, out); });
    commands_.add("vcl.show", [this](const cli::words& w, cli::reply& out) { show_vcl(w, out); });
}

// vcl.load NAME FILE STATE BUNDLE, as only the manager sends it.
void control::load_vcl(const cli::words& w, cli::reply& out) {
    if (w.size() < 4) {
        out.fail(cli::status::too_few, "Too few parameters\n");
        return;
    }
    std::string error;
    auto program = w.size() > 4 ? compile_bundle(w[4], boot_, error) : nullptr;
    if (program == nullptr) {
        out.fail(cli::status::parameter, "{}", error);
        return;
    }
    const std::string failure = vcls_.load(w[1], std::move(program), w[3]);
    tell(failure, out);
    if (failure.empty()) {
        out.print("Loaded \"{}\" as \"{}\"", w[2], w[1]);
    }
}

void control::show_vcl(const cli::words& w, cli::reply& out) const {
    const bool verbose = w.size() > 1 && w[1] == "-v";
    const std::size_t at = verbose ? 2 : 1;
    const std::string name = at < w.size() ? w[at] : std::string();
    if (at + 1 < w.size()) {
        out.fail(cli::status::parameter, "Too many parameters: '{}'", w[at + 1]);
        return;
    }
    const vcl_slot* slot = vcls_.find(name);
    if (slot == nullptr) {
        out.fail(cli::status::parameter, "No VCL named '{}'", name);
        return;
    }
    const auto& sources = slot->program().code().sources();
    if (!verbose) {
        out.out(sources.empty() ? std::string_view() : sources[0].text);
        return;
    }
    for (std::size_t i = 0; i < sources.size(); ++i) {
        out.print("// VCL.SHOW {} {} {}\n{}\n", i, sources[i].text.size(), sources[i].name, sources[i].text);
    }
}

void control::list_vcls(cli::reply& out) const {
    std::string lines;
    for (const vcl_slots::row& row : vcls_.rows()) {
        lines += fmt::format("{}\t{}\t{}\t{:>6}\t{}", row.status, row.state, row.temperature, row.busy, row.name);
        if (!row.label_target.empty()) {
            lines += fmt::format("\t->\t{}", row.label_target);
        } else if (row.labels > 0) {
            lines += fmt::format("\t<-\t({} label{})", row.labels, row.labels > 1 ? "s" : "");
        }
        if (row.users > 0) {
            lines += fmt::format(" ({} return(vcl){})", row.users, row.users > 1 ? "'s" : "");
        }
        lines += '\n';
    }
    out.table(lines);
}

namespace {

void list_label_json(const vcl_slots::row& row, cli::reply& out) {
    out.out(",\n");
    if (row.label_target.empty()) {
        out.print("\"labels\": {}", row.labels);
        return;
    }
    out.out("\"label\": {\n");
    out.indent(2);
    out.print("\"name\": \"{}\"", row.label_target);
    if (row.users > 0) {
        out.print(",\n\"refs\": {}", row.users);
    }
    out.out("\n");
    out.out("}");
    out.indent(-2);
}

} // namespace

void control::list_vcls_json(const cli::words& w, cli::reply& out) const {
    out.json_begin(w, base::system_clock().real());
    out.out(",\n");
    bool first = true;
    for (const vcl_slots::row& row : vcls_.rows()) {
        out.out(std::exchange(first, false) ? "" : ",\n");
        out.out("{\n");
        out.indent(2);
        out.print("\"status\": \"{}\",\n", row.status);
        out.print("\"state\": \"{}\",\n", row.state);
        out.print("\"temperature\": \"{}\",\n", row.temperature);
        out.print("\"busy\": {},\n", row.busy);
        out.print("\"name\": \"{}\"", row.name);
        if (!row.label_target.empty() || row.labels > 0) {
            list_label_json(row, out);
        }
        out.indent(-2);
        out.out("\n}");
    }
    out.json_end();
}

} // namespace clearcoat::worker
