// The serving part of the worker: loops, housekeeping, backends and the commands about them. Made and commanded by the
// control thread.
#include "backend/backend_set.hpp"
#include "backend/cli.hpp"
#include "base/clock.hpp"
#include "tables/param_block.hpp"
#include "vcl/vm/instance.hpp"
#include "worker/backend_services.hpp"
#include "worker/housekeeping.hpp"
#include "worker/lock_counters.hpp"
#include "worker/loop_runner.hpp"
#include "worker/server.hpp"
#include "worker/shared_state.hpp"
#include "worker/vcl_slots.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/core.h>
#include <sys/socket.h>

namespace clearcoat::worker {

namespace {

/// The backends of one VCL, as the slots handle them.
class backend_surroundings final : public vcl_surroundings {
  public:
    backend_surroundings(const std::string& vcl_name, backend::endpoint_table& endpoints, backend::services& services)
        : set(vcl_name, endpoints, services) {}
    vcl::environment& environment() noexcept override { return set; }
    void warm() override { set.warm(); }
    void cool() override { set.cool(); }

    backend::backend_set set;
};

class serving final : public server {
  public:
    explicit serving(const server_context& context);
    ~serving() override;

    std::unique_ptr<vcl_surroundings> make_surroundings(const std::string& vcl_name) override {
        return std::make_unique<backend_surroundings>(vcl_name, endpoints_, backends_);
    }
    std::string start() override;
    bool stop() noexcept override;

  private:
    void make_loops();
    void add_commands();
    void count_locks();
    void count_threads(std::size_t running) noexcept;
    void ban(const cli::words& w, cli::reply& out);
    void list_backends(const cli::words& w, cli::reply& out);
    void set_health(const cli::words& w, cli::reply& out);
    std::vector<backend::backend_set*> backend_sets() const;

    server_context context_;
    shared_state shared_;
    std::vector<clearcoat::server::listener> listeners_;
    std::vector<std::unique_ptr<loop_runner>> loops_;
    backend_services backends_;
    backend::endpoint_table endpoints_;
    lock_counters locks_;
    std::unique_ptr<housekeeping> housekeeping_;
    bool running_ = false;
    bool drained_ = true;
};

serving::serving(const server_context& context)
    : context_(context), shared_(context), backends_(shared_, loops_), locks_(shared_.segments) {
    make_loops();
    add_commands();
    count_locks();
}

/// A loop is what a thread pool is for the reference, and has one thread.
void serving::count_threads(std::size_t running) noexcept {
    tables::main_counters& c = shared_.counters;
    tables::store(c.pools, running);
    tables::store(c.threads, running);
    tables::bump(running != 0 ? c.threads_created : c.threads_destroyed, loops_.size());
}

/// DIFFERS: the kinds of the reference for which there is a lock here. Loops keep their memory without one.
void serving::count_locks() {
    locks_.add("ban", [this] { return shared_.bans.locks(); });
    locks_.add("mempool", [] { return base::lock_totals(); });
    locks_.add("objhdr", [this] { return shared_.cache.locks(); });
    locks_.add("vbe", [this] { return backends_.locks(); });
    locks_.add("vcl", [this] { return context_.vcls.locks(); });
    locks_.add("vxid", [this] { return context_.vxids.locks(); });
    locks_.refresh();
}

void serving::make_loops() {
    listeners_.reserve(context_.boot.sockets.size());
    for (unsigned i = 0; i < context_.boot.loops; ++i) {
        loops_.push_back(std::make_unique<loop_runner>(i, shared_, context_.vcls));
    }
    for (const cli::listen_socket& s : context_.boot.sockets) {
        listeners_.push_back({s.name, s.endpoint, s.proxy, s.is_unix});
        for (unsigned i = 0; i < loops_.size(); ++i) {
            loops_[i]->add_listener(listeners_.back(), s.fds.at(i % s.fds.size()));
        }
    }
}

serving::~serving() {
    stop();
    for (const auto& loop : loops_) {
        loop->end();
    }
}

std::string serving::start() {
    for (const cli::listen_socket& s : context_.boot.sockets) {
        for (const int fd : s.fds) {
            if (::listen(fd, static_cast<int>(context_.params.listen_depth())) != 0) {
                return fmt::format("Listen failed on socket '{}': {}\n", s.endpoint, std::strerror(errno));
            }
        }
    }
    housekeeping_ = std::make_unique<housekeeping>(shared_, locks_);
    for (const auto& loop : loops_) {
        loop->start();
    }
    running_ = true;
    count_threads(loops_.size());
    return {};
}

bool serving::stop() noexcept {
    if (!running_) {
        return drained_;
    }
    running_ = false;
    for (const auto& loop : loops_) {
        loop->begin_stop();
    }
    for (const auto& loop : loops_) {
        drained_ = loop->wait() && drained_;
    }
    housekeeping_.reset();
    count_threads(0);
    return drained_;
}

void serving::add_commands() {
    cli::registry& commands = context_.commands;
    commands.add("ban", [this](const cli::words& w, cli::reply& out) { ban(w, out); });
    commands.add(
        "ban.list", [this](const cli::words&, cli::reply& out) { out.out(shared_.bans.list_text()); },
        [this](const cli::words& w, cli::reply& out) {
            out.json_begin(w, base::system_clock().real());
            out.out(",\n");
            out.out(shared_.bans.list_json());
            out.json_end();
        });
    const auto list = [this](const cli::words& w, cli::reply& out) { list_backends(w, out); };
    commands.add("backend.list", list, list);
    commands.add("backend.set_health", [this](const cli::words& w, cli::reply& out) { set_health(w, out); });
}

void serving::ban(const cli::words& w, cli::reply& out) {
    const std::vector<std::string_view> words(w.begin() + 1, w.end());
    const std::string error = shared_.bans.add_words(words, base::system_clock().real());
    if (!error.empty()) {
        out.fail(cli::status::parameter, "{}", error);
    }
}

std::vector<backend::backend_set*> serving::backend_sets() const {
    std::vector<backend::backend_set*> sets;
    for (const vcl_slot* slot : context_.vcls.programs()) {
        sets.push_back(&static_cast<backend_surroundings*>(slot->surroundings())->set);
    }
    return sets;
}

void answer_with(const backend::cli_answer& answer, const cli::words& w, cli::reply& out) {
    out.set(static_cast<cli::status>(answer.status));
    switch (answer.layout) {
    case backend::cli_answer::form::plain:
        out.out(answer.text);
        break;
    case backend::cli_answer::form::table:
        out.table(answer.text);
        break;
    case backend::cli_answer::form::json:
        out.json_begin(w, base::system_clock().real(), 3);
        out.out(",\n" + answer.text);
        out.json_end();
        break;
    }
}

void serving::list_backends(const cli::words& w, cli::reply& out) {
    const std::vector<backend::backend_set*> sets = backend_sets();
    const vcl_slot* active = context_.vcls.active_slot();
    const std::string name = active == nullptr ? std::string() : active->program().name();
    answer_with(backend::backend_list({sets, name, base::system_clock().real()}, w), w, out);
}

void serving::set_health(const cli::words& w, cli::reply& out) {
    const std::vector<backend::backend_set*> sets = backend_sets();
    const vcl_slot* active = context_.vcls.active_slot();
    const std::string name = active == nullptr ? std::string() : active->program().name();
    answer_with(backend::backend_set_health({sets, name, base::system_clock().real()}, w), w, out);
}

} // namespace

std::unique_ptr<server> make_server(const server_context& context) {
    return std::make_unique<serving>(context);
}

} // namespace clearcoat::worker
