// Where management connections come from: -T, -M, -d and -I.
#include "manager/sessions.hpp"

#include "manager/option_error.hpp"

#include <cerrno>
#include <cstdio>
#include <unistd.h>

namespace clearcoat::manager {

namespace {

constexpr int backlog = 10;
constexpr base::seconds longest_pause = 10;

} // namespace

void sessions::set_secret(const std::string& file) {
    std::optional<std::string> secret;
    {
        const sys::raised privileges(jail_);
        errno = 0;
        secret = sys::read_file(file);
    }
    if (!secret || secret->empty()) {
        std::fprintf(stderr, "%s secret-file \"%s\"\n", secret ? "Empty" : "Can not open", file.c_str());
        throw early_exit{2};
    }
    secret_file_ = file;
}

std::string sessions::listen(std::string_view argument) {
    const sys::resolved found = sys::resolve(argument, {});
    if (!found.error.empty()) {
        option_fails("Could not resolve -T argument to address\n\t{}", found.error);
    }
    std::string text;
    for (const sys::socket_address& address : found.addresses) {
        sys::unique_fd fd;
        {
            const sys::raised privileges(jail_);
            fd = sys::bind_stream(address, false);
        }
        if (!fd || ::listen(fd.get(), backlog) != 0) {
            continue;
        }
        sys::set_nonblocking(fd.get(), true);
        const auto bound = sys::socket_address::local_of(fd.get());
        text += bound.host_text() + " " + bound.port_text() + "\n";
        loop_.on_readable(fd.get(), [this, number = fd.get()] { accept(number); });
        listening_.push_back(std::move(fd));
    }
    if (text.empty()) {
        option_fails("-T {} could not be listened on.", argument);
    }
    return text;
}

void sessions::accept(int listening) {
    sys::unique_fd fd(::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC));
    if (!fd) {
        return;
    }
    const int number = fd.get();
    session& s = open(std::move(fd), number, socket_ident("telnet", number), true);
    s.is_socket = true;
    greet(s);
}

void sessions::use_stdin(std::function<void()> on_end) {
    session& s = open(sys::unique_fd(STDIN_FILENO), STDOUT_FILENO, "debug", false);
    s.on_end = std::move(on_end);
    greet(s);
}

void sessions::run_file(sys::unique_fd file) {
    std::fprintf(stderr, "BEGIN of -I file processing\n");
    bool ended = false;
    session& s = open(std::move(file), STDERR_FILENO, "-I file", false);
    s.is_file = true;
    s.on_end = [&ended] { ended = true; };
    greet(s);
    while (!ended) {
        loop_.run_once(1);
    }
    if (!file_failure_.empty()) {
        throw option_error(file_failure_);
    }
    std::fprintf(stderr, "END of -I file processing\n");
}

void sessions::connect_out(std::string_view argument) {
    const sys::resolved found = sys::resolve(argument, {});
    if (!found.error.empty()) {
        option_fails("Could not resolve -M argument to address\n\t{}", found.error);
    }
    const bool is_first = masters_.empty();
    masters_.insert(masters_.end(), found.addresses.begin(), found.addresses.end());
    if (is_first) {
        loop_.after(master_pause_, [this] { poke_master(); });
    }
}

void sessions::poke_master() {
    loop_.after(master_pause_, [this] { poke_master(); });
    if (has_master_ || master_connecting_) {
        return;
    }
    master_connecting_ = sys::start_connect(masters_.front());
    if (!master_connecting_) {
        master_failed(errno);
        return;
    }
    loop_.on_writable(master_connecting_.get(), [this] { master_connected(); });
}

void sessions::master_connected() {
    loop_.forget(master_connecting_.get());
    sys::unique_fd fd = std::move(master_connecting_);
    if (const int error = sys::finish_connect(fd.get()); error != 0) {
        master_failed(error);
        return;
    }
    sys::set_nonblocking(fd.get(), false);
    const int number = fd.get();
    session& s = open(std::move(fd), number, socket_ident("master", number), true);
    s.is_socket = true;
    s.on_end = [this] { has_master_ = false; };
    has_master_ = true;
    master_pause_ = 1;
    greet(s);
}

void sessions::master_failed(int error) {
    log_.print(level::info, "Could not connect to CLI-master: {}", sys::error_text(error));
    masters_.push_back(masters_.front());
    masters_.pop_front();
    if (master_pause_ < longest_pause) {
        ++master_pause_;
    }
}

} // namespace clearcoat::manager
