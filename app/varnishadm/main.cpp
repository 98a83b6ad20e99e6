// varnishadm: talks with a running varnishd over its management port. Options, messages and exit statuses are those of
// varnishadm(1): 0 well, 1 the command failed or wrong usage, 2 no connection.
#include "modes.hpp"

#include "logread/vsm_reader.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <strings.h>
#include <time.h>
#include <unistd.h>

using namespace clearcoat;
using varnishadm::admin_link;

namespace {

constexpr char option_letters[] = "hn:pS:T:t:";
constexpr double default_timeout = 5;
constexpr double for_ever = 1e9;

struct arguments {
    std::optional<std::string> endpoint;
    std::optional<std::string> secret;
    std::optional<std::string> instance;
    double timeout = default_timeout;
    double patience = default_timeout;
    bool plain = false;
};

[[noreturn]] void usage(int status) {
    std::fprintf(stderr, "Usage: varnishadm [-h] [-n ident] [-p] [-S secretfile] [-T [address]:port] [-t timeout] "
                         "[command [...]]\n"
                         "\t-n is mutually exclusive with -S and -T\n");
    std::exit(status);
}

void take_timeout(const char* text, arguments& args) {
    char* end = nullptr;
    double value = std::strtod(text, &end);
    bool off = strcasecmp(text, "off") == 0;
    if (!off && (end == text || *end != '\0' || !std::isfinite(value) || value < 0)) {
        std::fprintf(stderr, "-t: Invalid argument: %s\n", text);
        std::exit(2);
    }
    args.patience = off ? for_ever : value;
    args.timeout = off ? default_timeout : value;
}

arguments parse(int argc, char** argv) {
    arguments args;
    // "+": options end at the command, whose own words may begin with '-'.
    std::string letters = std::string("+") + option_letters;
    for (int letter = 0; (letter = getopt(argc, argv, letters.c_str())) != -1;) {
        switch (letter) {
        case 'h':
            usage(0);
        case 'n':
            args.instance = optarg;
            break;
        case 'p':
            args.plain = true;
            break;
        case 'S':
            args.secret = optarg;
            break;
        case 'T':
            args.endpoint = optarg;
            break;
        case 't':
            take_timeout(optarg, args);
            break;
        default:
            usage(1);
        }
    }
    if (args.endpoint ? args.instance.has_value() : args.secret.has_value()) {
        usage(1);
    }
    return args;
}

double now() noexcept {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

bool wait_for_manager(const logread::vsm_reader& reader, double patience) {
    double deadline = now() + patience;
    for (int tries = 1; !reader.running(); ++tries) {
        if (now() > deadline) {
            std::fprintf(stderr, "%sCould not get hold of varnishd, is it running?\n", tries > 5 ? "\n" : "");
            return false;
        }
        if (tries % 4 == 0) {
            std::fputc('.', stderr);
        }
        timespec quarter{0, 250000000};
        nanosleep(&quarter, nullptr);
    }
    return true;
}

bool open_instance(const arguments& args, admin_link& link) {
    logread::vsm_reader reader(logread::chosen_work_folder(args.instance));
    if (!wait_for_manager(reader, args.patience)) {
        return false;
    }
    std::optional<std::string> endpoints = reader.text("Arg", "-T");
    std::optional<std::string> secret = reader.text("Arg", "-S");
    if (!endpoints) {
        std::fprintf(stderr, "No -T in shared memory\n");
        return false;
    }
    for (std::size_t at = 0; at < endpoints->size();) {
        std::size_t end = std::min(endpoints->find('\n', at), endpoints->size());
        if (link.open(endpoints->substr(at, end - at), secret)) {
            return true;
        }
        at = end + 1;
    }
    return false;
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "--optstring") == 0) {
        std::printf("%s\n", option_letters);
        return 0;
    }
    arguments args = parse(argc, argv);
    admin_link link(args.timeout);
    bool open = args.endpoint ? link.open(*args.endpoint, args.secret) : open_instance(args, link);
    if (!open) {
        return 2;
    }
    std::span<char* const> words(argv + optind, static_cast<std::size_t>(argc - optind));
    if (!words.empty()) {
        return varnishadm::run_command(link, words, args.plain);
    }
    return isatty(STDIN_FILENO) != 0 && !args.plain ? varnishadm::interact(link)
                                                    : varnishadm::pass_through(link, args.plain);
}
