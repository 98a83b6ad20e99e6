#include "modes.hpp"

#include <cerrno>
#include <cstdio>
#include <string>

#include <poll.h>
#include <unistd.h>

namespace clearcoat::varnishadm {
namespace {

unsigned number_of(cli::status status) noexcept {
    return static_cast<unsigned>(status);
}

void print(const answer& a, bool plain) {
    if (plain) {
        // No newline behind the text: programs go by the length.
        std::printf("%-3u %-8zu\n%s", number_of(a.status), a.text.size(), a.text.c_str());
    } else {
        std::printf("%s\n", a.text.c_str());
        if (a.status == cli::status::truncated) {
            std::printf("[response was truncated]\n");
        }
    }
    std::fflush(stdout);
}

bool is_good(cli::status status) noexcept {
    return status == cli::status::ok || status == cli::status::truncated;
}

int write_failed() {
    std::perror("Write error CLI socket");
    return 1;
}

/// Hands what stdin has to the connection; false at its end.
bool copy_input(admin_link& link, char& last) {
    char buffer[16384];
    ssize_t got = ::read(STDIN_FILENO, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) {
        return true;
    }
    if (got <= 0) {
        if (last != '\n') {
            link.send("\n"); // the last line had none
        }
        link.finish_sending();
        return false;
    }
    last = buffer[got - 1];
    return link.send({buffer, static_cast<std::size_t>(got)});
}

} // namespace

int run_command(admin_link& link, std::span<char* const> words, bool plain) {
    std::string line;
    for (const char* word : words) {
        line += line.empty() ? "" : " ";
        line += word;
    }
    if (!link.send(line + "\n")) {
        return write_failed();
    }
    answer a = link.read();
    if (a.status == cli::status::communication) {
        // DIFFERS: the reference says nothing and exits with 0 here, though the command may not have been run.
        std::fprintf(stderr, "%s\n", a.text.empty() ? "CLI communication error (hdr)" : a.text.c_str());
        return 1;
    }
    print(a, plain);
    if (is_good(a.status)) {
        return 0;
    }
    if (!plain) {
        std::fprintf(stderr, "Command failed with error code %u\n", number_of(a.status));
    }
    return 1;
}

int pass_through(admin_link& link, bool plain) {
    // DIFFERS: after the end of stdin all outstanding answers are printed, not just one.
    pollfd fds[2] = {{link.fd(), POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
    char last = '\n';
    while (true) {
        if (poll(fds, 2, -1) < 0) {
            if (errno == EINTR) {
                continue;
            }
            return 1;
        }
        if ((fds[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
            answer a = link.read();
            if (a.status == cli::status::communication) {
                return 0;
            }
            print(a, plain);
        }
        if ((fds[1].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !copy_input(link, last)) {
            fds[1].fd = -1;
        }
    }
}

} // namespace clearcoat::varnishadm
