// varnishlog-json: the log as JSON, a line for each transaction or group of them. Takes the options of varnishlog that
// choose; the objects are described in lib/logread/json_log.hpp.
#include "logread/json_log.hpp"
#include "logread/write_log.hpp"

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
    logread::check_background(tool, args.path);
    return args;
}

} // namespace

int main(int argc, char** argv) {
    logread::tool tool("varnishlog-json", logread::options_of(letters, own_options), argc, argv);
    const arguments args = parse(tool);
    const logread::destination to{args.path, {output::content::text, args.append, false}};
    return logread::write_log(
        tool, to, [&tool](logread::group g, output& out) { logread::print_json(g, tool.log, out.buffer()); });
}
