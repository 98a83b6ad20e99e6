// varnishhist: a histogram of requests by a number in their log, on a screen that goes on. Options and exit statuses
// are those of varnishhist(1).
#include "logread/tool.hpp"
#include "screen.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <unistd.h>

using namespace clearcoat;
using logread::option_help;

namespace {

constexpr std::array own_options{
    option_help{'B', "<factor>", "Log seconds to show in a second, when an older log is read"},
    option_help{'g', "<request|vxid>", "What belongs together (vxid)"},
    option_help{'p', "<period>", "Seconds from screen to screen (1)"},
    option_help{'P', "<profile>",
                "responsetime (as without -P), reqbodytime, size, Bereqtime, Beresptime, BerespBodytime, Besize, or "
                "[cbE:]tag:[prefix]:field[:min:max]"},
};
constexpr char letters[] = "BCdghLnpPQqrtTV";

struct arguments {
    double pace = 0;
    double delay = 1;
    std::string profile = "responsetime";
};

double parse_pace(const logread::tool& tool, const char* text) {
    const double factor = std::strtod(text, nullptr);
    const std::string invalid = std::string(" (invalid factor '") + text + "')";
    if (factor == 0) {
        tool.fail(1, "-B: being able to bend time does not mean we can stop it" + invalid);
    }
    if (factor < 0) {
        tool.fail(1, "-B: being able to bend time does not mean we can make it go backwards" + invalid);
    }
    return factor;
}

arguments parse(logread::tool& tool) {
    arguments args;
    for (int letter = 0; (letter = tool.next_option("BpP")) != -1;) {
        switch (letter) {
        case 'B':
            args.pace = parse_pace(tool, optarg);
            break;
        case 'p':
            args.delay = std::strtod(optarg, nullptr);
            if (std::lround(args.delay * 1e3) <= 0) {
                tool.fail(1, std::string("-p: invalid '") + optarg + "'");
            }
            break;
        default:
            args.profile = optarg;
            std::string error;
            // A definition is checked at once, a name when all options are known.
            if (args.profile.find(':') != std::string::npos && !varnishhist::parse_profile(args.profile, error)) {
                tool.fail(1, error);
            }
        }
    }
    if (tool.how != logread::grouping::vxid && tool.how != logread::grouping::request) {
        tool.fail(1, "Invalid grouping mode: " + std::string(name_of(tool.how)) +
                         " (only vxid and request are supported)");
    }
    return args;
}

} // namespace

int main(int argc, char** argv) {
    logread::tool tool("varnishhist", logread::options_of(letters, own_options), argc, argv);
    const arguments args = parse(tool);
    std::string error;
    const std::optional<varnishhist::profile> profile = varnishhist::parse_profile(args.profile, error);
    if (!profile) {
        tool.fail(1, error);
    }
    tool.take(profile->side);
    varnishhist::board board(*profile);
    board.pace = args.pace;
    varnishhist::paced_reader reader(board);
    logread::tool::hooks hooks;
    hooks.on_group = [&reader](logread::group g) {
        reader.add(g);
        return true;
    };
    tool.set_up(std::move(hooks));
    tool.quiet = true;
    const logread::instance* running = tool.running_instance();
    const std::string name = running == nullptr ? "" : running->text("Arg", "-i").value_or("");
    std::thread screen([&board, &name, &args] { varnishhist::show(board, name, args.delay); });
    tool.run();
    board.end_of_file = true;
    screen.join();
    return 0;
}
