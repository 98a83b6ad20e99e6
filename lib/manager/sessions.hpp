// The management connections: those accepted on -T, the one made with -M, stdin with -d, and the -I file. Each has its
// challenge, its collected input and its unsent output. All run the same registry; one thread.
#pragma once

#include "base/clock.hpp"
#include "cli/line_reader.hpp"
#include "cli/registry.hpp"
#include "manager/complaints.hpp"
#include "manager/event_loop.hpp"
#include "sys/fd.hpp"
#include "sys/jail.hpp"
#include "sys/socket_address.hpp"

#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::manager {

class sessions {
  public:
    /// `params` gives cli_limit. Everything outlives this.
    sessions(event_loop& loop, complaints& log, const sys::jail& jail, const tables::param_block& params,
             const cli::registry& commands)
        : loop_(loop), log_(log), jail_(jail), params_(params), commands_(commands) {}
    ~sessions();

    /// Protects connections with the secret in that file; it is read anew at each attempt. Throws early_exit when it
    /// cannot be read or is empty.
    void set_secret(const std::string& file);
    void set_banner(std::function<std::string()> banner) { banner_ = std::move(banner); }

    /// -T: listens on all addresses of the argument; gives "HOST PORT\n" for each. Throws option_error.
    std::string listen(std::string_view argument);
    /// -M: keeps a connection to the first of these addresses that takes it. Throws option_error.
    void connect_out(std::string_view argument);
    /// -d: commands from stdin, answers to stdout; `on_end` when stdin ends.
    void use_stdin(std::function<void()> on_end);
    /// -I: runs the commands of an open file and returns when it ends. Throws option_error where one fails.
    void run_file(sys::unique_fd file);

    void close_all();

  private:
    struct session {
        sys::unique_fd in;
        int out = -1; // the same descriptor for sockets
        bool is_socket = false;
        bool is_file = false; // -I: told on stderr, and a failing command ends the program
        std::string ident;
        bool authenticated = false;
        std::string challenge;
        cli::line_reader reader;
        std::string unsent;
        bool closing = false; // when everything is sent
        event_loop::timer auth_timer = 0;
        std::function<void()> on_end;
    };
    // sessions.cpp
    session& open(sys::unique_fd in, int out, std::string ident, bool needs_auth);
    void greet(session& s);
    void readable(session& s);
    bool run_command(session& s, const cli::command_line& command);
    void answer(session& s, const cli::command_line& command, cli::reply& out);
    void authenticate(session& s, const cli::words& w, cli::reply& out);
    void send(session& s, std::string text);
    void flush(session& s);
    void end(session& s);
    static std::string socket_ident(std::string_view prefix, int fd);

    // session_sources.cpp
    void accept(int listening);
    void poke_master();
    void master_connected();
    void master_failed(int error);

    event_loop& loop_;
    complaints& log_;
    const sys::jail& jail_;
    const tables::param_block& params_;
    const cli::registry& commands_;
    std::function<std::string()> banner_;
    std::string secret_file_;
    std::list<session> sessions_;
    std::vector<sys::unique_fd> listening_;

    std::deque<sys::socket_address> masters_; // -M; the next to try is in front
    sys::unique_fd master_connecting_;
    bool has_master_ = false;
    base::seconds master_pause_ = 0.1;
    std::string file_failure_; // of -I
};

} // namespace clearcoat::manager
