// The VCLs and labels the manager knows, with their states and dependencies; the worker's set follows it. Every change
// is told to a running worker first and kept only if that went well. Runs on the manager's thread.
#pragma once

#include "base/clock.hpp"
#include "cli/registry.hpp"
#include "cli/vcl_bundle.hpp"
#include "manager/event_loop.hpp"
#include "manager/supervisor.hpp"
#include "manager/vcl_compiler.hpp"

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::manager {

class vcl_store {
  public:
    vcl_store(event_loop& loop, complaints& log, supervisor& worker, const tables::param_block& params,
              const vcl_compiler& compiler);

    /// Adds vcl.load and its fellows.
    void add_commands(cli::registry& commands);

    /// A VCL of -f or -b; the last one becomes active. `name` empty: "boot0", "boot1", ...
    void add_startup(const std::string& text, const std::string& name, const std::string& origin, cli::reply& out);

    /// Why no worker can be started ("No VCL loaded", "No active VCL"); empty: it can.
    std::string_view missing() const noexcept;

    /// Sends everything to a new worker; empty, or why that failed.
    std::string push(worker_link& link);

  private:
    enum class state { automatic, cold, warm, label };
    struct entry {
        std::string name;
        state kept = state::automatic;
        bool warm = true;
        base::seconds cool_since = -1; // monotonic; below zero: it stays as it is
        cli::vcl_bundle bundle;
        std::vector<entry*> needs; // labels a VCL uses, the VCL a label points to
        std::vector<entry*> needed_by;
        bool discard = false; // marked, during one vcl.discard
    };

    // Commands (vcl_commands.cpp, vcl_discard.cpp, vcl_lists.cpp).
    void cmd_load(const cli::words& w, cli::reply& out);
    void cmd_inline(const cli::words& w, cli::reply& out);
    void cmd_use(const cli::words& w, cli::reply& out);
    void cmd_state(const cli::words& w, cli::reply& out);
    void cmd_label(const cli::words& w, cli::reply& out);
    void cmd_discard(const cli::words& w, cli::reply& out);
    void cmd_list(const cli::words& w, cli::reply& out);
    void cmd_list_json(const cli::words& w, cli::reply& out);
    void cmd_deps(const cli::words& w, cli::reply& out);
    void cmd_deps_json(const cli::words& w, cli::reply& out);
    void cmd_symtab(const cli::words& w, cli::reply& out);

    // Names.
    static bool name_is_fine(std::string_view name, cli::reply& out);
    static std::optional<state> parse_state(std::string_view text, cli::reply& out);
    static std::string_view text_of(state s) noexcept;
    entry* by_name(std::string_view name) noexcept;
    entry* find(std::string_view name, cli::reply& out);
    bool is_free(std::string_view name, cli::reply& out);

    // Loading.
    entry* add(const std::string& name, const std::optional<std::string>& text, const std::string& origin,
               std::string_view state_word, cli::reply& out);
    bool room_for_more(cli::reply& out) const;
    void warn_if_many(cli::reply& out) const;
    std::size_t program_count() const noexcept;
    std::vector<std::string> label_names() const;
    void depend(entry& from, entry& to);
    void undepend(entry& from, entry& to);
    void erase(entry& e);
    worker_link::answer send_load(worker_link& link, const entry& e) const;
    worker_link::answer send_entry(worker_link& link, const entry& e) const;

    // Temperature.
    bool set_state(entry& e, state s, cli::reply* out);
    bool set_warm(entry& e, bool warm, cli::reply* out);
    bool require_warm(entry& e, cli::reply& out);
    bool tell_worker_state(entry& e, bool warm, cli::reply* out);
    void set_cooldown(entry& e, bool may_cool);
    void cool_down();

    // Discarding.
    bool mark_for_discard(const std::string& pattern, std::vector<entry*>& marked, cli::reply& out);
    bool may_discard(const std::vector<entry*>& marked, cli::reply& out) const;
    void discard(entry& e, cli::reply& out);

    bool reaches(const entry& from, const entry& target, cli::reply& out) const;
    void list_row(const entry& e, std::string& lines) const;
    void list_json_row(const entry& e, cli::reply& out) const;

    event_loop& loop_;
    complaints& log_;
    supervisor& worker_;
    const tables::param_block& params_;
    const vcl_compiler& compiler_;
    std::list<entry> entries_;
    entry* active_ = nullptr;
    unsigned startup_count_ = 0;
};

} // namespace clearcoat::manager
