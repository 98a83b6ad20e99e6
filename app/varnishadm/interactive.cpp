// The mode for people. libedit's callback interface keeps its state in globals, and so must this file.
#include "modes.hpp"

#include "tables/params.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <editline/readline.h>
#include <poll.h>
#include <unistd.h>

namespace clearcoat::varnishadm {
namespace {

constexpr char prompt[] = "varnish> ";

admin_link* connection = nullptr;
bool finished = false;
int exit_status = 0;
std::vector<std::string> command_names;

void take_line(char* line) {
    if (line == nullptr) {
        finished = true;
        return;
    }
    std::string text = line;
    if (!connection->send(text + "\n")) {
        std::perror("Write error CLI socket");
        finished = true;
        exit_status = 1;
    }
    if (!text.empty()) {
        add_history(line);
    }
    std::free(line);
    rl_callback_handler_install(prompt, take_line);
}

/// The names in the answer to `help -j`: the strings behind "request":.
void read_command_names() {
    constexpr std::string_view key = "\"request\": \"";
    if (!command_names.empty() || !connection->send("help -j\n")) {
        return;
    }
    std::string text = connection->read().text;
    for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at)) {
        at += key.size();
        command_names.push_back(text.substr(at, text.find('"', at) - at));
    }
}

template<class Names, class NameOf>
char* next_of(const Names& names, NameOf name_of, std::string_view text, std::size_t& at) {
    while (at < names.size()) {
        std::string name(name_of(names[at++]));
        if (name.starts_with(text)) {
            return strdup(name.c_str());
        }
    }
    return nullptr;
}

char* next_command(const char* text, int state) {
    static std::size_t at = 0;
    if (state == 0) {
        read_command_names();
        at = 0;
    }
    return next_of(
        command_names, [](const std::string& name) { return name; }, text, at);
}

char* next_parameter(const char* text, int state) {
    static std::size_t at = 0;
    at = state == 0 ? 0 : at;
    return next_of(
        tables::param_rows(), [](const tables::param_row& row) { return row.name; }, text, at);
}

char** complete(const char* text, int start, int) {
    std::string_view line = rl_line_buffer;
    if (start == 0 || line.starts_with("help ")) {
        return rl_completion_matches(text, next_command);
    }
    return line.starts_with("param.") ? rl_completion_matches(text, next_parameter) : nullptr;
}

void show_answer() {
    answer a = connection->read();
    if (a.status == cli::status::communication) {
        finished = true;
        if (!a.text.empty()) {
            std::fprintf(stderr, "%s\n", a.text.c_str());
        }
        return;
    }
    std::printf("\r           \r%u\n%s\n", static_cast<unsigned>(a.status), a.text.c_str());
    if (a.status == cli::status::truncated) {
        std::printf("[response was truncated]\n");
    }
    std::fflush(stdout);
    rl_forced_update_display();
}

} // namespace

int interact(admin_link& link) {
    connection = &link;
    rl_already_prompted = 1;
    rl_callback_handler_install(prompt, take_line);
    rl_attempted_completion_function = complete;
    link.send("banner\n");
    pollfd fds[2] = {{link.fd(), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    while (!finished) {
        if (poll(fds, 2, -1) < 0) {
            if (errno == EINTR) {
                continue;
            }
            break;
        }
        if (fds[0].revents != 0) {
            show_answer();
        }
        if (!finished && fds[1].revents != 0) {
            rl_callback_read_char();
        }
    }
    rl_callback_handler_remove();
    return exit_status;
}

} // namespace clearcoat::varnishadm
