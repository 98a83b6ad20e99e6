// What the tools of the log have in common: the shared options, attaching to an instance or a saved log, the signals
// (INT and TERM end, HUP rotates or ends, USR1 flushes), the background, and the loop that feeds the assembler and
// follows the instance over restarts. One a process; its thread is the one that calls run().
#pragma once

#include "logread/assembler.hpp"
#include "logread/instance.hpp"
#include "logread/source.hpp"
#include "logread/usage.hpp"
#include "sys/pid_file.hpp"

#include <functional>
#include <optional>
#include <string>

namespace clearcoat::logread {

/// The value of -t: seconds, or a negative number for "off" (wait for ever); empty when it is neither.
std::optional<double> parse_patience(std::string_view text);

class tool {
  public:
    /// Prints the option letters and exits for "--optstring". `argv` outlives the tool.
    tool(const char* name, std::vector<option_help> options, int argc, char** argv);
    tool(const tool&) = delete;
    tool& operator=(const tool&) = delete;
    ~tool();

    /// The next option that is the tool's own, with its value in optarg; -1 after the last. The shared ones are taken
    /// here, unless they stand in `own`. Exits on wrong usage, and for -h and -V.
    int next_option(std::string_view own);
    /// One of the shared options, as if it had been given.
    void take(char letter, const char* argument = nullptr);

    [[noreturn]] void fail(int status, const std::string& message) const;
    [[noreturn]] void usage(int status) const;

    log_options log;
    grouping how = grouping::vxid; // -g
    bool old_ones = false;         // -d
    bool background = false;       // -D
    bool quiet = false;            // says nothing of the log's comings and goings: a screen is up

    struct hooks {
        assembler::sink on_group;
        std::function<void()> on_idle;                    // may be empty, as all below
        std::function<void()> on_hup;                     // without it a HUP ends the tool
        std::function<void()> on_lost;                    // records were missed, or the worker is another one
        std::function<void(shm::record_width)> on_source; // a log was opened whose records are laid out so
    };
    /// Checks the options, compiles the query, opens the log, goes to the background, writes the process id. Exits with
    /// a message when any of it fails.
    void set_up(hooks h);
    /// Until a signal, -k, or the end of what there is to read.
    void run();

    /// nullptr when a saved log is read.
    const instance* running_instance() const noexcept { return instance_ ? &*instance_ : nullptr; }
    /// Ends run() from another thread or a signal handler.
    static void stop() noexcept;
    static bool stopping() noexcept;

  private:
    void take_more(char letter, std::string_view value);
    void add_query(const std::string& text);
    void attach();
    void detach();
    bool acquire();
    void open(std::unique_ptr<record_source> source);
    bool pump();
    bool after(source_status status);
    void lose(const char* why);
    void wait(double seconds) const;
    void say(const char* message) const;
    bool count_down(group g);

    const char* name_;
    std::vector<option_help> options_;
    int argc_;
    char** argv_;

    std::string query_text_;
    bool has_query_ = false;
    long count_ = -1; // -k
    std::optional<std::string> instance_name_;
    std::optional<std::string> saved_path_;
    std::string pid_path_;
    double patience_ = 5;

    hooks hooks_;
    std::optional<instance> instance_;
    std::optional<mapped_segment> ring_;
    std::unique_ptr<record_source> source_;
    std::unique_ptr<assembler> assembler_;
    sys::pid_file pid_file_;
    bool pid_written_ = false;
    bool lost_before_ = false;
    double told_at_ = -1e9;
    int seen_hup_ = 0;
    int seen_usr1_ = 0;
};

} // namespace clearcoat::logread
