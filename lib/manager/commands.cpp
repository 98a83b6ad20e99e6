// The manager's own commands beside those of the VCL store, and the way to the worker for all others.
#include "manager/manager.hpp"

#include "base/version.hpp"
#include "cli/words.hpp"

#include "base/panic.hpp"
#include "tables/counters.hpp"

#include <algorithm>
#include <unistd.h>

namespace clearcoat::manager {

void manager::add_commands() {
    commands_.add("auth", [](const cli::words&, cli::reply& out) { out.set(cli::status::close); });
    commands_.add("quit", [](const cli::words&, cli::reply& out) {
        out.out("Closing CLI connection");
        out.set(cli::status::close);
    });
    commands_.add("banner", [this](const cli::words&, cli::reply& out) { out.out(banner()); });
    commands_.add(
        "ping", [this](const cli::words&, cli::reply& out) { cli::answer_ping(now(), out); },
        [this](const cli::words& w, cli::reply& out) { cli::answer_ping_json(w, now(), out); });
    const auto help = [this](bool json) {
        return [this, json](const cli::words& w, cli::reply& out) {
            if (supervisor_->has_worker()) {
                ask_worker(w, out);
            } else if (json) {
                commands_.help_json(w, true, now(), out);
            } else {
                commands_.help(w, true, out);
            }
        };
    };
    commands_.add("help", help(false), help(true));
    commands_.add(
        "storage.list", [this](const cli::words&, cli::reply& out) { storages_->list(out); },
        [this](const cli::words& w, cli::reply& out) { storages_->list_json(w, now(), out); });
    commands_.add("debug.panic.master", [](const cli::words&, cli::reply&) {
        base::panic(__FILE__, __LINE__, "debug.panic.master", "You asked for it");
    });
    add_parameter_commands();
    add_worker_commands();
    store_->add_commands(commands_);
    commands_.set_fallback([this](const cli::words& w, cli::reply& out) { ask_worker(w, out); });
}

namespace {

void take_answer(const tables::param_answer& got, cli::reply& out) {
    out.set(static_cast<cli::status>(got.status));
    out.out(got.text);
}

// reply::out() indents what it is given, not the lines inside it.
template<class F>
void for_each_line(std::string_view text, F each) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        each(text.substr(0, end));
        text.remove_prefix(end);
    }
}

std::vector<std::string_view> arguments_of(const cli::words& w) {
    return {w.begin() + 1, w.end()};
}

} // namespace

void manager::add_parameter_commands() {
    const auto running = [this] { return supervisor_->has_worker(); };
    const auto as_json = [this](const cli::words& w, const std::vector<std::string_view>& arguments, cli::reply& out) {
        const tables::param_answer got = parameters_.show_json(arguments);
        if (!got.ok()) {
            take_answer(got, out);
            return;
        }
        out.json_begin(w, now());
        for_each_line(got.text, [&out](std::string_view line) { out.out(line); });
        out.json_end();
    };
    commands_.add(
        "param.show",
        [this](const cli::words& w, cli::reply& out) { take_answer(parameters_.show(arguments_of(w)), out); },
        [as_json](const cli::words& w, cli::reply& out) { as_json(w, arguments_of(w), out); });
    commands_.add(
        "param.set",
        [this, running](const cli::words& w, cli::reply& out) {
            take_answer(parameters_.set(w[1], w[2], running()), out);
        },
        [this, running, as_json](const cli::words& w, cli::reply& out) {
            const tables::param_answer got = parameters_.set(w[2], w[3], running());
            if (got.ok()) {
                as_json({w.begin(), w.begin() + 3}, {"-j", w[2]}, out); // the head repeats all but the value
            } else {
                take_answer(got, out);
            }
        });
    commands_.add(
        "param.reset",
        [this, running](const cli::words& w, cli::reply& out) { take_answer(parameters_.reset(w[1], running()), out); },
        [this, running, as_json](const cli::words& w, cli::reply& out) {
            const tables::param_answer got = parameters_.reset(w[2], running());
            if (got.ok()) {
                as_json(w, {"-j", w[2]}, out);
            } else {
                take_answer(got, out);
            }
        });
}

void manager::add_worker_commands() {
    commands_.add(
        "status",
        [this](const cli::words&, cli::reply& out) { out.print("Child in state {}", supervisor_->state_text()); },
        [this](const cli::words& w, cli::reply& out) {
            out.json_begin(w, now());
            out.out(", ");
            out.json_string(supervisor_->state_text());
            out.json_end();
        });
    commands_.add(
        "pid", [this](const cli::words&, cli::reply& out) { show_pids(out); },
        [this](const cli::words& w, cli::reply& out) { show_pids_json(w, out); });
    commands_.add("start", [this](const cli::words&, cli::reply& out) { start(out); });
    commands_.add("stop", [this](const cli::words&, cli::reply& out) {
        if (supervisor_->current() != supervisor::state::running) {
            out.fail(cli::status::cannot, "Child in state {}", supervisor_->state_text());
        } else {
            supervisor_->stop();
        }
    });
    commands_.add(
        "panic.show", [this](const cli::words&, cli::reply& out) { show_panic(out); },
        [this](const cli::words& w, cli::reply& out) { show_panic_json(w, out); });
    commands_.add("panic.clear", [this](const cli::words& w, cli::reply& out) { clear_panic(w, out); });
}

void manager::start(cli::reply& out) {
    if (supervisor_->current() != supervisor::state::stopped) {
        out.fail(cli::status::cannot, "Child in state {}", supervisor_->state_text());
    } else if (const std::string_view why = store_->missing(); !why.empty()) {
        out.fail(cli::status::cannot, "{}", why);
    } else {
        supervisor_->start(&out);
    }
}

void manager::show_pids(cli::reply& out) const {
    out.print("Master: {:10}\n", ::getpid());
    if (supervisor_->has_worker()) {
        out.print("Worker: {:10}\n", supervisor_->pid());
    }
}

void manager::show_pids_json(const cli::words& w, cli::reply& out) const {
    out.json_begin(w, now());
    out.print(",\n  {{\"master\": {}", ::getpid());
    if (supervisor_->has_worker()) {
        out.print(", \"worker\": {}", supervisor_->pid());
    }
    out.out("}");
    out.json_end();
}

void manager::show_panic_json(const cli::words& w, cli::reply& out) const {
    if (!supervisor_->panic()) {
        show_panic(out);
        return;
    }
    out.json_begin(w, now());
    out.out(",\n");
    out.json_string(*supervisor_->panic());
    out.json_end();
}

void manager::show_panic(cli::reply& out) const {
    if (!supervisor_->panic()) {
        out.fail(cli::status::cannot, "Child has not panicked or panic has been cleared");
        return;
    }
    out.print("{}\n", *supervisor_->panic());
}

void manager::clear_panic(const cli::words& w, cli::reply& out) {
    if (w.size() > 1 && w[1] != "-z") {
        out.fail(cli::status::parameter, "Unknown parameter \"{}\".", w[1]);
        return;
    }
    const bool counter_too = w.size() > 1;
    if (counter_too) {
        (*counters_)->child_panic = 0;
    }
    if (!supervisor_->panic() && !counter_too) {
        out.fail(cli::status::cannot, "No panic to clear");
        return;
    }
    supervisor_->clear_panic();
}

void manager::ask_worker(const cli::words& w, cli::reply& out) {
    if (!supervisor_->link().open()) {
        out.fail(cli::status::unknown, "Unknown request in manager process (child not running).\n"
                                       "Type 'help' for more info.");
        return;
    }
    std::string line;
    for (const std::string& word : w) {
        const std::string quoted = cli::quote_word(word);
        const bool plain = !word.empty() && quoted.size() == word.size() + 2 && word.find(' ') == std::string::npos;
        line += (plain ? word : quoted) + " ";
    }
    const worker_link::answer got = supervisor_->link().ask(line);
    out.set(got.code);
    out.out(got.text);
}

std::string manager::banner() const {
    std::string out = "-----------------------------\n"
                      "Varnish Cache CLI 1.0\n"
                      "-----------------------------\n";
    out += sys::platform() + summary_ + "\n" + base::version_text + "\n\n";
    out += "Type 'help' for command list.\n"
           "Type 'quit' to close CLI session.\n";
    if (!supervisor_->has_worker()) {
        out += "Type 'start' to launch worker process.\n";
    }
    return out;
}

} // namespace clearcoat::manager
