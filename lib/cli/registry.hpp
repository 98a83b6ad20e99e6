// The commands a process answers. Manager and worker have one each; the texts, argument counts and the side that runs
// a command come from tables/cli_verbs.hpp. Owned by one thread.
#pragma once

#include "cli/line_reader.hpp"
#include "cli/reply.hpp"
#include "tables/cli_verbs.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::cli {

/// A command as its handler sees it: words[0] is the command, words[1] "-j" where JSON is asked for.
using words = std::vector<std::string>;
using handler = std::function<void(const words&, reply&)>;

class registry {
  public:
    /// Adds or replaces the handler of a command that the table knows. `plain` or `json` may be empty: the command then
    /// says that it is not implemented in that form.
    void add(std::string_view verb, handler plain, handler json = {});
    /// A handler that counts its arguments itself: what the manager sends its worker may differ from what users type.
    void add_internal(std::string_view verb, handler plain);
    /// The handler for every command that is not known here (the manager passes it on).
    void set_fallback(handler plain) { fallback_ = std::move(plain); }
    bool knows(std::string_view verb) const { return entries_.find(verb) != entries_.end(); }

    /// Runs one command: checks its form, name and number of arguments, with the reference's messages. Commands marked
    /// `before_auth` in the table run without authentication, all others answer "Unknown request".
    void run(const command_line& command, bool authenticated, reply& out) const;

    /// The listing of `help`: words as help got them.
    void help(const words& command, bool authenticated, reply& out) const;
    void help_json(const words& command, bool authenticated, double now, reply& out) const;

  private:
    struct entry {
        const tables::cli_verb* verb = nullptr;
        handler plain;
        handler json;
        bool counts_itself = false;
    };
    static void dispatch(const entry& e, const words& command, reply& out);
    static void help_entry(const entry& e, bool with_text, reply& out);

    std::map<std::string, entry, std::less<>> entries_;
    handler fallback_;
};

/// `ping` and its JSON form; `now` is seconds since the epoch.
void answer_ping(double now, reply& out);
void answer_ping_json(const words& command, double now, reply& out);

} // namespace clearcoat::cli
