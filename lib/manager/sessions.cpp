#include "manager/sessions.hpp"

#include "cli/auth.hpp"
#include "manager/option_error.hpp"
#include "tables/param_block.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

namespace clearcoat::manager {

namespace {

// DIFFERS: the reference lets connections that never authenticate stay for ever.
constexpr base::seconds longest_without_auth = 60;

std::string random_challenge() {
    char bytes[cli::challenge_size];
    if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes) {
        throw std::runtime_error("no random bytes");
    }
    return cli::make_challenge({bytes, sizeof bytes});
}

} // namespace

sessions::~sessions() {
    close_all();
}

void sessions::close_all() {
    for (session& s : sessions_) {
        loop_.forget(s.in.get());
        loop_.cancel(s.auth_timer);
    }
    sessions_.clear();
    for (const sys::unique_fd& fd : listening_) {
        loop_.forget(fd.get());
    }
    listening_.clear();
    if (master_connecting_) {
        loop_.forget(master_connecting_.get());
        master_connecting_.reset();
    }
}

sessions::session& sessions::open(sys::unique_fd in, int out, std::string ident, bool needs_auth) {
    session& s = sessions_.emplace_back();
    s.in = std::move(in);
    s.out = out;
    s.ident = std::move(ident);
    s.authenticated = !needs_auth || secret_file_.empty();
    s.reader.set_authenticated(s.authenticated);
    loop_.on_readable(s.in.get(), [this, &s] { readable(s); });
    return s;
}

void sessions::greet(session& s) {
    if (s.authenticated) {
        send(s, cli::frame_response(cli::status::ok, banner_()));
        return;
    }
    s.challenge = random_challenge();
    s.auth_timer = loop_.after(longest_without_auth, [this, &s] { end(s); });
    send(s, cli::frame_response(cli::status::auth, s.challenge + "\n\nAuthentication required.\n"));
}

void sessions::readable(session& s) {
    char buffer[16384];
    const ssize_t got = ::read(s.in.get(), buffer, sizeof buffer);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
        return;
    }
    if (got <= 0) {
        end(s);
        return;
    }
    const bool go_on = s.reader.feed({buffer, static_cast<std::size_t>(got)},
                                     [&](const cli::command_line& command) { return run_command(s, command); });
    if (!go_on) {
        s.closing = true;
    }
    flush(s);
}

bool sessions::run_command(session& s, const cli::command_line& command) {
    cli::reply out(params_.cli_limit());
    if (s.is_file) {
        std::fprintf(stderr, "> %s\n", command.line.c_str());
    }
    log_.print(level::cli, "CLI {} Rd {}", s.ident, command.line);
    answer(s, command, out);
    log_.print(level::cli, "CLI {} Wr {:03} {}", s.ident, static_cast<unsigned>(out.code()), out.text());
    if (s.is_file && out.code() != cli::status::ok && !command.ignore_failure) {
        file_failure_ =
            fmt::format("-I file CLI command failed ({})\n{}\n", static_cast<unsigned>(out.code()), out.text());
        return false;
    }
    s.unsent += out.framed();
    if (out.code() == cli::status::close) {
        return false;
    }
    // Whoever has not authenticated gets no second chance.
    return s.authenticated || out.code() == cli::status::ok;
}

void sessions::answer(session& s, const cli::command_line& command, cli::reply& out) {
    if (command.error.empty() && command.words.size() == 2 && command.words[0] == "auth") {
        authenticate(s, command.words, out);
    } else if (command.error.empty() && !command.words.empty() && command.words[0] == "help" && !s.authenticated) {
        // The worker's listing is for those who may use it.
        const cli::words& w = command.words;
        if (w.size() > 1 && w[1] == "-j") {
            commands_.help_json(w, false, base::system_clock().real(), out);
        } else {
            commands_.help(w, false, out);
        }
    } else {
        commands_.run(command, s.authenticated, out);
    }
}

void sessions::authenticate(session& s, const cli::words& w, cli::reply& out) {
    if (secret_file_.empty()) {
        out.fail(cli::status::cannot, "Secret file not configured\n");
        return;
    }
    std::optional<std::string> secret;
    {
        const sys::raised privileges(jail_);
        secret = sys::read_file(secret_file_);
    }
    if (!secret) {
        out.fail(cli::status::cannot, "Cannot open secret file ({})\n", sys::error_text(errno));
        return;
    }
    if (s.challenge.empty() || !cli::auth_matches(s.challenge, *secret, w[1])) {
        log_.print(level::security, "CLI Authentication failure from {}", s.ident);
        out.set(cli::status::close);
        return;
    }
    s.authenticated = true;
    s.challenge.clear();
    s.reader.set_authenticated(true);
    loop_.cancel(s.auth_timer);
    out.out(banner_());
}

void sessions::send(session& s, std::string text) {
    s.unsent += text;
    flush(s);
}

// Input waits while output does: a client that does not read cannot make the manager collect answers for it.
void sessions::flush(session& s) {
    while (!s.unsent.empty()) {
        const ssize_t sent = s.is_socket ? ::send(s.out, s.unsent.data(), s.unsent.size(), MSG_DONTWAIT | MSG_NOSIGNAL)
                                         : ::write(s.out, s.unsent.data(), s.unsent.size());
        if (sent >= 0) {
            s.unsent.erase(0, static_cast<std::size_t>(sent));
        } else if (errno == EAGAIN && s.is_socket) {
            loop_.on_readable(s.in.get(), {});
            loop_.on_writable(s.out, [this, &s] { flush(s); });
            return;
        } else if (errno != EINTR && errno != EAGAIN) {
            end(s);
            return;
        }
    }
    if (s.closing) {
        end(s);
        return;
    }
    loop_.on_readable(s.in.get(), [this, &s] { readable(s); });
    loop_.on_writable(s.in.get(), {});
}

void sessions::end(session& s) {
    loop_.forget(s.in.get());
    loop_.cancel(s.auth_timer);
    const auto on_end = std::move(s.on_end);
    sessions_.remove_if([&](const session& each) { return &each == &s; });
    if (on_end) {
        on_end();
    }
}

std::string sessions::socket_ident(std::string_view prefix, int fd) {
    const auto here = sys::socket_address::local_of(fd);
    const auto there = sys::socket_address::peer_of(fd);
    return fmt::format("{} {} {} {} {}", prefix, there.host_text(), there.port_text(), here.host_text(),
                       here.port_text());
}

} // namespace clearcoat::manager
