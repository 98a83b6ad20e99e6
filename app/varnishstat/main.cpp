// varnishstat: the counters of a running instance, once or on a screen that goes on. Options, output and exit statuses
// are those of varnishstat(1).
#include "base/clock.hpp"
#include "base/version.hpp"
#include "keys.hpp"
#include "listings.hpp"
#include "logread/counters.hpp"
#include "logread/signals.hpp"
#include "logread/tool.hpp"
#include "logread/usage.hpp"
#include "screen.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include <time.h>
#include <unistd.h>

using namespace clearcoat;
using logread::option_help;

namespace {

constexpr std::array own_options{
    option_help{'1', nullptr, "Print the counters once, as without a terminal to write to"},
    option_help{'c', nullptr, "Show a screen, as on a terminal"},
    option_help{'f', "<glob>", "Show what matches; with '^' before it, do not"},
    option_help{'I', "<glob>", "Show what matches"},
    option_help{'j', nullptr, "Print the counters once, as JSON"},
    option_help{'l', nullptr, "Print the counters' names"},
    option_help{'r', nullptr, "Show gauges below nothing as they are"},
    option_help{'x', nullptr, "Print the counters once, as XML"},
    option_help{'X', "<glob>", "Do not show what matches"},
};
constexpr char letters[] = "1cfhIjlnrtVXx";

struct arguments {
    char how = '\0'; // 1, j, l, x; none was asked for
    bool screen = false;
    bool raw = false;
    std::optional<std::string> instance;
    double patience = 5;
    logread::counter_filter filter;
};

[[noreturn]] void usage(int status) {
    std::fputs(logread::usage_text("varnishstat", logread::options_of(letters, own_options)).c_str(), stderr);
    std::exit(status);
}

[[noreturn]] void fail(const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(1);
}

void take(arguments& args, int letter) {
    switch (letter) {
    case '1':
    case 'j':
    case 'l':
    case 'x':
        // The forms rank in that order when several are asked for.
        args.how = args.how == 'x' || letter == 'x'   ? 'x'
                   : args.how == 'j' || letter == 'j' ? 'j'
                   : args.how == '1' || letter == '1' ? '1'
                                                      : 'l';
        break;
    case 'c':
        args.screen = true;
        break;
    case 'f':
    case 'I':
    case 'X':
        args.filter.take(static_cast<char>(letter), optarg);
        break;
    case 'h':
        usage(0);
    case 'n':
        args.instance = optarg;
        break;
    case 'r':
        args.raw = !args.raw;
        break;
    case 't': {
        const std::optional<double> patience = logread::parse_patience(optarg);
        if (!patience) {
            fail(std::string("-t: Invalid argument: ") + optarg);
        }
        args.patience = *patience;
        break;
    }
    case 'V':
        std::fputs(base::version_lines("varnishstat").c_str(), stderr);
        std::exit(0);
    default:
        usage(1);
    }
}

arguments parse(int argc, char** argv) {
    arguments args;
    const std::string known = logread::option_letters(logread::options_of(letters, own_options));
    if (argc == 2 && std::strcmp(argv[1], "--optstring") == 0) {
        std::printf("%s\n", known.c_str());
        std::exit(0);
    }
    if (argc == 2 && std::strcmp(argv[1], "--bindings") == 0) {
        std::fputs(varnishstat::bindings_text().c_str(), stdout);
        std::exit(0);
    }
    for (int letter = 0; (letter = getopt(argc, argv, known.c_str())) != -1;) {
        take(args, letter);
    }
    if (optind != argc) {
        usage(1);
    }
    return args;
}

std::string timestamp() {
    const time_t now = time(nullptr);
    tm local{};
    localtime_r(&now, &local);
    char room[20];
    return {room, strftime(room, sizeof room, "%Y-%m-%dT%H:%M:%S", &local)};
}

double uptime(logread::instance& instance) {
    logread::counter_filter only;
    only.take('I', "MAIN.uptime");
    logread::counter_list one(instance, only);
    one.refresh();
    const logread::counter* up = one.find("MAIN.uptime");
    return up == nullptr ? 0 : static_cast<double>(up->value(false));
}

void print_once(const arguments& args, logread::instance& instance) {
    logread::counter_list counters(instance, args.filter);
    counters.refresh();
    const std::string text = args.how == 'x'   ? varnishstat::as_xml(counters, args.raw, timestamp())
                             : args.how == 'j' ? varnishstat::as_json(counters, args.raw, timestamp())
                             : args.how == '1' ? varnishstat::as_text(counters, args.raw, uptime(instance))
                                               : varnishstat::as_names(counters);
    std::fputs(text.c_str(), stdout);
}

} // namespace

int main(int argc, char** argv) {
    arguments args = parse(argc, argv);
    logread::signals::take_over();
    logread::instance instance(logread::chosen_work_folder(args.instance));
    if (!instance.wait_for_manager(args.patience, logread::signals::ended)) {
        fail(logread::signals::ended != 0 ? "Attach interrupted" : "Could not get hold of varnishd, is it running?");
    }
    if (args.how == '\0' && ::isatty(STDOUT_FILENO) == 0) {
        args.how = '1';
    }
    if (args.how != '\0' && !args.screen) {
        print_once(args, instance);
        return std::fflush(stdout) == 0 ? 0 : 1;
    }
    varnishstat::show(instance, args.filter, args.raw);
    return 0;
}
