// varnishlog-json: the log as JSON, a line for each transaction or group of them. Takes the options of varnishlog that
// choose; the objects are described in lib/logread/json_log.hpp.
#include "logread/json_log.hpp"
#include "logread/output.hpp"
#include "logread/tool.hpp"

#include <array>
#include <optional>
#include <string>

#include <unistd.h>

using namespace clearcoat;
using logread::option_help;
using logread::output;

namespace {

constexpr std::array own_options{
    option_help{'a', nullptr, "Append to the file of -w"},
    option_help{'w', "<filename>", "Write to a file; \"-\" is standard output"},
};
constexpr char letters[] = "abcCdDEghiIkLnPQqrRtTVwxX";

struct arguments {
    bool append = false;
    std::optional<std::string> path;
};

arguments parse(logread::tool& tool) {
    arguments args;
    for (int letter = 0; (letter = tool.next_option("aw")) != -1;) {
        if (letter == 'a') {
            args.append = true;
        } else {
            args.path = optarg;
        }
    }
    if (tool.background && !args.path) {
        tool.fail(1, "Missing -w option");
    }
    if (tool.background && *args.path == "-") {
        tool.fail(1, "Daemon cannot write to stdout");
    }
    return args;
}

[[noreturn]] void cannot_open(const logread::tool& tool, int error) {
    tool.fail(1, "Cannot open output file (" + sys::error_text(error) + ")");
}

} // namespace

int main(int argc, char** argv) {
    logread::tool tool("varnishlog-json", logread::options_of(letters, own_options), argc, argv);
    const arguments args = parse(tool);
    output out;
    if (args.path) {
        if (const int error = out.open(*args.path, {output::content::text, args.append, false})) {
            cannot_open(tool, error);
        }
    }
    logread::tool::hooks hooks;
    hooks.on_group = [&tool, &out](logread::group g) {
        logread::print_json(g, tool.log, out.buffer());
        out.end_of_group();
        return true;
    };
    hooks.on_idle = [&out] { out.flush(); };
    if (tool.background) {
        hooks.on_hup = [&tool, &out] {
            if (const int error = out.reopen()) {
                cannot_open(tool, error);
            }
        };
    }
    tool.set_up(std::move(hooks));
    tool.run();
    out.flush();
    return out.failed() ? 1 : 0;
}
