// debug.* of the worker.
#include "worker/control.hpp"

#include "base/numbers.hpp"
#include "base/panic.hpp"
#include "base/testable_random.hpp"
#include "vcl/vm/instance.hpp"
#include "vcl/vm/program.hpp"

#include <cstdlib>
#include <map>

namespace clearcoat::worker {

namespace {

std::uint64_t number_in(const cli::words& w, std::size_t i, std::uint64_t otherwise) {
    return i < w.size() ? std::strtoull(w[i].c_str(), nullptr, 0) : otherwise;
}

} // namespace

void control::add_debug_commands() {
    commands_.add("debug.xid", [this](const cli::words& w, cli::reply& out) { set_xid(w, out); });
    commands_.add("debug.listen_address", [this](const cli::words&, cli::reply& out) { list_addresses(out); });
    commands_.add("debug.vmod", [this](const cli::words&, cli::reply& out) { list_modules(out); });
    commands_.add("debug.srandom", [](const cli::words& w, cli::reply&) {
        base::seed_testable_random(static_cast<std::uint32_t>(number_in(w, 1, 1)));
    });
    commands_.add("debug.fragfetch", [this](const cli::words& w, cli::reply&) {
        knobs_.fragment_fetch = static_cast<std::uint32_t>(number_in(w, 1, 0));
    });
    commands_.add("debug.shutdown.delay", [this](const cli::words& w, cli::reply& out) {
        const auto delay = base::parse_duration(w[1]);
        if (!delay) {
            out.fail(cli::status::parameter, "Not a duration: '{}'", w[1]);
            return;
        }
        knobs_.shutdown_delay = *delay;
    });
    commands_.add("debug.panic.worker", [](const cli::words&, cli::reply&) {
        base::panic(__FILE__, __LINE__, "ccf_panic", "!strcmp(\"\", \"You asked for it\")");
    });
}

void control::set_xid(const cli::words& w, cli::reply& out) {
    if (w.size() > 1) {
        vxids_.restart(number_in(w, 1, 0), static_cast<std::uint32_t>(number_in(w, 2, 1)));
    }
    out.print("XID is {} chunk {}", vxids_.position(), vxids_.chunk_size());
}

void control::list_addresses(cli::reply& out) const {
    for (const cli::listen_socket& socket : boot_.sockets) {
        if (socket.is_unix) {
            out.print("{} {} -\n", socket.name, socket.endpoint);
        } else {
            out.print("{} {} {}\n", socket.name, socket.host, socket.port);
        }
    }
}

void control::list_modules(cli::reply& out) const {
    std::map<std::pair<std::string, std::string>, unsigned> uses;
    for (const vcl_slot* slot : vcls_.programs()) {
        for (const vcl::program::used_module& module : slot->program().code().modules()) {
            ++uses[{std::string(module.name), module.file.empty() ? "builtin" : std::string(module.file)}];
        }
    }
    for (const auto& [module, count] : uses) {
        out.print("{:5} {} ({})\n", count, module.first, module.second);
    }
}

} // namespace clearcoat::worker
