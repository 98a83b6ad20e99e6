#include "worker/control.hpp"

#include "cli/line_reader.hpp"
#include "sys/fd.hpp"
#include "tables/counters.hpp"
#include "tables/param_block.hpp"

#include <cerrno>
#include <set>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace clearcoat::worker {

control::control(const cli::worker_boot& boot, const tables::param_block& params, telemetry& outside)
    : boot_(boot), params_(params), outside_(outside), vxids_(shm::layout::usable_ids(outside.ring().width())),
      vcls_([this](const std::string& name) { return server_->make_surroundings(name); }) {
    server_ = make_server({boot_, params_, outside_, commands_, vcls_, vxids_, knobs_});
    add_commands();
}

control::~control() {
    stop();
}

void control::stop() {
    if (server_ != nullptr && server_->stop()) {
        vcls_.clear();
        server_.reset();
    }
}

void control::add_commands() {
    const auto now = [] { return base::system_clock().real(); };
    commands_.add(
        "ping", [now](const cli::words&, cli::reply& out) { cli::answer_ping(now(), out); },
        [now](const cli::words& w, cli::reply& out) { cli::answer_ping_json(w, now(), out); });
    commands_.add(
        "help", [this](const cli::words& w, cli::reply& out) { commands_.help(w, true, out); },
        [this, now](const cli::words& w, cli::reply& out) { commands_.help_json(w, true, now(), out); });
    commands_.add("start", [this](const cli::words&, cli::reply& out) {
        if (const std::string why = server_->start(); !why.empty()) {
            out.fail(cli::status::cannot, "{}", why);
        }
    });
    add_vcl_commands();
    add_debug_commands();
    list_other_commands();
}

// The manager passes `help` on to a running worker, whose listing is for both.
void control::list_other_commands() {
    for (const tables::cli_verb& verb : tables::cli_verbs()) {
        if (verb.side == tables::cli_side::manager && !commands_.knows(verb.name)) {
            commands_.add(verb.name, {});
        }
    }
}

void control::run() {
    if (sys::write_all(boot_.cli_fd, cli::frame_response(cli::status::ok, "Ready")) != 0) {
        return;
    }
    cli::line_reader reader;
    reader.set_authenticated(true);
    char buffer[16384];
    for (;;) {
        const ssize_t got = ::read(boot_.cli_fd, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        const std::string_view bytes(buffer, static_cast<std::size_t>(got));
        if (!reader.feed(bytes, [this](const cli::command_line& command) { return answer(command); })) {
            break;
        }
    }
    outside_.log_cli("EOF on CLI connection, worker stops");
}

bool control::answer(const cli::command_line& command) {
    outside_.log_cli("Rd " + command.line);
    vcls_.poll();
    cli::reply out(params_.cli_limit());
    commands_.run(command, true, out);
    count_vcls();
    outside_.log_cli(fmt::format("Wr {:03} {} {}", static_cast<unsigned>(out.code()), out.text().size(), out.text()));
    return sys::write_all(boot_.cli_fd, out.framed()) == 0;
}

void control::count_vcls() {
    const vcl_slots::counts now = vcls_.count();
    tables::main_counters& counters = outside_.counters();
    tables::store(counters.n_vcl, now.loaded);
    tables::store(counters.n_vcl_avail, now.available);
    tables::store(counters.n_vcl_discard, now.discarded);
    std::set<std::pair<std::string_view, std::string_view>> modules;
    for (const vcl_slot* slot : vcls_.programs()) {
        for (const vcl::program::used_module& module : slot->program().code().modules()) {
            modules.emplace(module.name, module.file);
        }
    }
    tables::store(counters.vmods, modules.size());
}

} // namespace clearcoat::worker
