// varnishlog: prints log records, or saves them for other tools. Options, output and exit statuses are those of
// varnishlog(1).
#include "logread/print.hpp"
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
    option_help{'A', nullptr, "Write text to the file of -w"},
    option_help{'u', nullptr, "Do not buffer the file of -w"},
    option_help{'w', "<filename>", "Write records to a file, for -r; \"-\" is standard output"},
};
constexpr char letters[] = "aAbcCdDEghiIkLnPQqrRtTuvVwxX";

struct arguments {
    bool append = false;
    bool text = false;
    bool unbuffered = false;
    std::optional<std::string> path;
};

arguments parse(logread::tool& tool) {
    arguments args;
    for (int letter = 0; (letter = tool.next_option("aAuw")) != -1;) {
        switch (letter) {
        case 'a':
            args.append = true;
            break;
        case 'A':
            args.text = true;
            break;
        case 'u':
            args.unbuffered = true;
            break;
        default:
            args.path = optarg;
        }
    }
    logread::check_background(tool, args.path);
    return args;
}

/// What holds transactions together must be in a saved log, whatever the tags asked for.
void keep_structure(logread::tool& tool) {
    tool.take('x', "Link"); // first, so that -i does not hide all others
    for (const char* tag : {"Link", "Begin", "End"}) {
        tool.take('i', tag);
    }
}

} // namespace

int main(int argc, char** argv) {
    logread::tool tool("varnishlog", logread::options_of(letters, own_options), argc, argv);
    const arguments args = parse(tool);
    const bool save = args.path && !args.text;
    if (save) {
        keep_structure(tool);
    }
    const auto kind = args.text ? output::content::text : output::content::records;
    const logread::destination to{args.path, {kind, args.append, args.unbuffered}, 2};
    return logread::write_log(tool, to, [&tool, save](logread::group g, output& out) {
        save ? logread::save_group(g, tool.log, out.width(), out.buffer())
             : logread::print_group(g, tool.log, out.buffer());
    });
}
