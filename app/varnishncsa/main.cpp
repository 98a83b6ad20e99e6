// varnishncsa: a line for each request, as web servers log them. Options, output and exit statuses are those of
// varnishncsa(1).
#include "logread/ncsa_line.hpp"
#include "logread/write_log.hpp"

#include <array>
#include <cerrno>
#include <optional>
#include <string>

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

using namespace clearcoat;
using logread::option_help;
using logread::output;

namespace {

constexpr std::array own_options{
    option_help{'a', nullptr, "Append to the file of -w"},
    option_help{'b', nullptr, "Lines for requests to backends"},
    option_help{'c', nullptr, "Lines for requests of clients, as without -b"},
    option_help{'E', nullptr, "Lines for ESI requests too"},
    option_help{'F', "<format>", "What a line shows"},
    option_help{'f', "<formatfile>", "The first line of a file says what a line shows"},
    option_help{'g', "<request|vxid>", "What belongs together (vxid)"},
    option_help{'j', nullptr, "Quote for JSON"},
    option_help{'w', "<filename>", "Write to a file; \"-\" is standard output"},
};
constexpr char letters[] = "abcCdDEFfghjkLnPQqrRtVw";

struct arguments {
    bool append = false;
    bool json = false;
    std::optional<std::string> format;
    std::optional<std::string> path;
};

std::string read_format(const logread::tool& tool, const char* path) {
    const sys::unique_fd file = sys::open_file(path, O_RDONLY);
    if (!file) {
        tool.fail(1, "Can't open format file (" + sys::error_text(errno) + ")");
    }
    const std::optional<std::string> text = sys::read_rest(file.get());
    if (!text) {
        tool.fail(1, "Can't read format from file (" + sys::error_text(errno) + ")");
    }
    if (text->empty()) {
        tool.fail(1, "Empty format file");
    }
    return text->substr(0, text->find('\n'));
}

void set_format(const logread::tool& tool, arguments& args, int letter) {
    if (args.format) {
        tool.fail(1, "Format already set");
    }
    args.format = letter == 'F' ? std::string(optarg) : read_format(tool, optarg);
}

arguments parse(logread::tool& tool) {
    arguments args;
    bool side = false;
    for (int letter = 0; (letter = tool.next_option("abcEFfjw")) != -1;) {
        switch (letter) {
        case 'a':
            args.append = true;
            break;
        case 'F':
        case 'f':
            set_format(tool, args, letter);
            break;
        case 'j':
            args.json = true;
            break;
        case 'w':
            args.path = optarg;
            break;
        default:
            tool.take(static_cast<char>(letter));
            side = true;
        }
    }
    if (!side) {
        tool.take('c');
    }
    logread::check_background(tool, args.path);
    if (tool.how != logread::grouping::vxid && tool.how != logread::grouping::request) {
        tool.fail(1, "Invalid grouping mode: " + std::string(name_of(tool.how)));
    }
    return args;
}

} // namespace

int main(int argc, char** argv) {
    tzset();
    logread::tool tool("varnishncsa", logread::options_of(letters, own_options), argc, argv);
    const arguments args = parse(tool);
    std::string error;
    auto format = logread::ncsa_format::parse(args.format.value_or(logread::ncsa_format::usual), args.json, error);
    if (!format) {
        tool.fail(1, error);
    }
    logread::ncsa_printer printer(std::move(*format));
    const logread::destination to{args.path, {output::content::text, args.append, false}, 1, "Can't open output file"};
    return logread::write_log(tool, to, [&printer](logread::group g, output& out) {
        for (const logread::transaction& t : g) {
            printer.print(t, out.buffer());
        }
    });
}
