// varnishtop: the most frequent log records, once or on a screen that goes on. Options, output and exit statuses are
// those of varnishtop(1).
#include "logread/tool.hpp"
#include "ranking.hpp"
#include "screen.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <unistd.h>

using namespace clearcoat;
using logread::option_help;

namespace {

constexpr std::array own_options{
    option_help{'1', nullptr, "Print the records there are now and end"},
    option_help{'d', nullptr, "Count the older records too"},
    option_help{'f', nullptr, "Count by the first field only"},
    option_help{'p', "<period>", "Seconds to measure over (60)"},
};
constexpr char letters[] = "1bcCdEfghiILnpQqrtTxXV";

struct arguments {
    bool once = false;
    bool first_field = false;
    unsigned period = 60;
};

unsigned parse_period(const logread::tool& tool, const char* text) {
    char* end = nullptr;
    errno = 0;
    const unsigned long value = std::strtoul(text, &end, 0);
    if (errno != 0 || *end != '\0' || end == text) {
        tool.fail(1, std::string("Syntax error, ") + text + " is not a number");
    }
    return static_cast<unsigned>(value);
}

arguments parse(logread::tool& tool) {
    arguments args;
    for (int letter = 0; (letter = tool.next_option("1fp")) != -1;) {
        switch (letter) {
        case '1':
            tool.take('d');
            args.once = true;
            break;
        case 'f':
            args.first_field = true;
            break;
        default:
            args.period = parse_period(tool, optarg);
        }
    }
    return args;
}

} // namespace

int main(int argc, char** argv) {
    logread::tool tool("varnishtop", logread::options_of(letters, own_options), argc, argv);
    const arguments args = parse(tool);
    varnishtop::board board(args.first_field);
    logread::tool::hooks hooks;
    hooks.on_group = [&tool, &board](logread::group g) {
        board.mutex.lock();
        board.entries.add(g, tool.log);
        board.mutex.unlock();
        return true;
    };
    tool.set_up(std::move(hooks));
    if (args.once) {
        tool.run();
        std::fputs(list_text(board.entries).c_str(), stdout);
        return 0;
    }
    tool.quiet = true;
    const logread::instance* running = tool.running_instance();
    const std::string name = running == nullptr ? "" : running->text("Arg", "-i").value_or("");
    std::thread screen([&board, &name, &args] { varnishtop::show(board, name, args.period); });
    tool.run();
    board.end_of_file = true;
    screen.join();
    return 0;
}
