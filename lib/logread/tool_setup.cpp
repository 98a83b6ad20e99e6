// The tools' shared options and what happens before their loop begins.
#include "logread/tool.hpp"

#include "base/ascii.hpp"
#include "base/version.hpp"
#include "logread/saved_log.hpp"
#include "logread/signals.hpp"
#include "sys/process.hpp"

#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/core.h>
#include <unistd.h>

namespace clearcoat::logread {

tool::tool(const char* name, std::vector<option_help> options, int argc, char** argv)
    : name_(name), options_(std::move(options)), argc_(argc), argv_(argv) {
    if (argc == 2 && std::strcmp(argv[1], "--optstring") == 0) {
        std::printf("%s\n", option_letters(options_).c_str());
        std::exit(0);
    }
    signals::take_over();
}

void tool::fail(int status, const std::string& message) const {
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(status);
}

void tool::usage(int status) const {
    std::fputs(usage_text(name_, options_).c_str(), stderr);
    std::exit(status);
}

int tool::next_option(std::string_view own) {
    const std::string letters = option_letters(options_);
    for (int letter = 0; (letter = ::getopt(argc_, argv_, letters.c_str())) != -1;) {
        if (letter == 'h') {
            usage(0);
        }
        if (own.find(static_cast<char>(letter)) != std::string_view::npos) {
            return letter;
        }
        if (letter == '?') {
            usage(1);
        }
        take(static_cast<char>(letter), optarg);
    }
    if (optind != argc_) {
        usage(1);
    }
    return -1;
}

void tool::take(char letter, const char* argument) {
    const std::string_view value = argument == nullptr ? std::string_view() : std::string_view(argument);
    switch (letter) {
    case 'd':
        old_ones = true;
        return;
    case 'D':
        background = true;
        return;
    case 'g': {
        const grouping_choice choice = find_grouping(value);
        if (!choice.how) {
            fail(1, fmt::format("{} grouping type: {}", choice.ambiguous ? "Ambiguous" : "Unknown", value));
        }
        how = *choice.how;
        return;
    }
    case 'k': {
        char* rest = nullptr;
        count_ = std::strtol(argument, &rest, 10);
        if (*rest != '\0' || count_ <= 0 || count_ > INT_MAX) {
            fail(1, fmt::format("-k: Invalid number '{}'", value));
        }
        return;
    }
    case 'n':
        instance_name_ = value;
        return;
    case 'P':
        pid_path_ = value;
        return;
    case 'r':
        saved_path_ = value;
        return;
    case 't': {
        const std::optional<double> seconds = parse_patience(value);
        if (!seconds) {
            fail(1, fmt::format("-t: Invalid argument: {}", value));
        }
        patience_ = *seconds;
        return;
    }
    default:
        take_more(letter, value);
    }
}

void tool::take_more(char letter, std::string_view value) {
    switch (letter) {
    case 'q':
        add_query(std::string(value));
        return;
    case 'Q': {
        const std::optional<std::string> text = sys::read_file(std::string(value));
        if (!text) {
            fail(1, fmt::format("-Q {}: {}", value, sys::error_text(errno)));
        }
        add_query(*text);
        return;
    }
    case 'V':
        std::fputs(base::version_lines(name_).c_str(), stderr);
        std::exit(0);
    default:
        break;
    }
    std::string error;
    switch (log.take(letter, value, error)) {
    case log_options::verdict::wrong:
        fail(1, error);
    case log_options::verdict::unknown:
        usage(1);
    case log_options::verdict::taken:
        break;
    }
}

void tool::add_query(const std::string& text) {
    query_text_ += has_query_ ? "\n" + text : text;
    has_query_ = true;
}

void tool::set_up(hooks h) {
    hooks_ = std::move(h);
    if (instance_name_ && saved_path_) {
        fail(1, "Only one of -n and -r options may be used");
    }
    if (saved_path_ == "-" && background) {
        fail(1, "Daemon cannot read from stdin");
    }
    std::unique_ptr<const query> wanted;
    if (has_query_) {
        std::string error;
        wanted = query::compile(query_text_, log.caseless, error);
        if (wanted == nullptr) {
            fail(1, "Query expression error:\n" + error);
        }
    }
    assembler_ = std::make_unique<assembler>(log, how, std::move(wanted), base::system_clock(),
                                             [this](group g) { return count_down(g); });
    if (saved_path_) {
        std::string error;
        std::unique_ptr<record_source> source = open_saved_log(*saved_path_, error);
        if (source == nullptr) {
            fail(1, error);
        }
        open(std::move(source));
    } else {
        attach();
    }
    detach();
}

void tool::attach() {
    instance_.emplace(chosen_work_folder(instance_name_));
    if (!instance_->wait_for_manager(patience_, signals::ended)) {
        fail(1, stopping() ? "VSM: Attach interrupted" : "VSM: Could not get hold of varnishd, is it running?");
    }
}

/// Goes to the background and writes the process id, where that is wanted.
void tool::detach() {
    if (!pid_path_.empty()) {
        pid_t owner = 0;
        switch (pid_file_.open(pid_path_, owner)) {
        case sys::pid_file::verdict::ok:
            break;
        case sys::pid_file::verdict::running:
            fail(1, fmt::format("{}: already running (pid {})", pid_path_, owner));
        case sys::pid_file::verdict::failed:
            fail(1, fmt::format("{}: {}", pid_path_, sys::error_text(errno)));
        }
    }
    sys::daemoniser daemon;
    if (background) {
        daemon.go_background();
    }
    if (!pid_path_.empty()) {
        pid_file_.write();
        pid_written_ = true;
    }
    daemon.tell_parent(0);
}

std::optional<double> parse_patience(std::string_view text) {
    if (base::equal_nocase(text, "off")) {
        return -1;
    }
    const std::string copy(text);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    if (*end != '\0' || !std::isfinite(value) || value < 0) {
        return std::nullopt;
    }
    return value;
}

} // namespace clearcoat::logread
