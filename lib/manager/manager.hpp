// The manager process as a whole: applies the options in the reference's order, owns every part, runs until it is told
// to stop. One thread, but for the one that talks to syslog.
#pragma once

#include "cli/registry.hpp"
#include "manager/complaints.hpp"
#include "manager/event_loop.hpp"
#include "manager/listeners.hpp"
#include "manager/options.hpp"
#include "manager/sessions.hpp"
#include "manager/storages.hpp"
#include "manager/supervisor.hpp"
#include "manager/vcl_compiler.hpp"
#include "manager/vcl_store.hpp"
#include "shm/counter_segment.hpp"
#include "shm/segment_directory.hpp"
#include "sys/jail.hpp"
#include "sys/pid_file.hpp"
#include "sys/process.hpp"
#include "tables/params.hpp"

#include <optional>
#include <string>
#include <vector>

namespace clearcoat::manager {

class manager {
  public:
    manager(options given, std::vector<std::string> arguments, sys::daemoniser& daemon);
    ~manager();
    manager(const manager&) = delete;
    manager& operator=(const manager&) = delete;

    /// Everything up to the last moment at which the program may still refuse to start. Throws option_error, refused
    /// and early_exit.
    void prepare();
    /// Runs; gives the exit status.
    int run();
    /// -C: compiles what -b or -f name; gives the exit status.
    int compile_only();

  private:
    struct boot_vcl {
        std::string text;
        std::string origin;
    };

    // startup.cpp
    void make_jail();
    void apply_options();
    void apply(const option& o);
    void set_parameter(std::string_view assignment);
    void set_parameter(std::string_view name, std::string_view value);
    void open_initial_commands(const std::string& path);
    void read_vcl_file(const std::string& name);
    void take_backend_option();
    void check_secret();
    void choose_work_folder();
    void make_compiler();
    void make_parts();

    // startup_files.cpp
    void load_boot_vcl();
    void take_pid_files();
    void take_pid_file(const std::string& path);
    void check_hash_and_waiter();
    void make_shared_memory();
    void open_management();
    void make_secret();

    // commands.cpp
    void add_commands();
    void add_parameter_commands();
    void add_worker_commands();
    void ask_worker(const cli::words& w, cli::reply& out);
    void start(cli::reply& out);
    void show_pids(cli::reply& out) const;
    void show_pids_json(const cli::words& w, cli::reply& out) const;
    void show_panic(cli::reply& out) const;
    void show_panic_json(const cli::words& w, cli::reply& out) const;
    void clear_panic(const cli::words& w, cli::reply& out);
    std::string banner() const;
    double now() const noexcept { return base::system_clock().real(); }

    // running.cpp
    void run_initial_commands();
    int start_worker();
    void watch_signals();
    void signalled();
    void count_uptime();
    void wind_up();

    options options_;
    std::vector<std::string> arguments_;
    sys::daemoniser& daemon_;
    sys::jail jail_;
    sys::unique_fd params_fd_;
    sys::mapping params_memory_;
    tables::param_block& block_;
    tables::parameter_set parameters_;
    complaints log_;
    event_loop loop_;
    std::string summary_; // ",-junix,-smalloc,...": what the banner adds to the platform
    std::string work_folder_;
    std::string identity_;
    std::optional<listeners> listeners_;
    std::optional<storages> storages_;
    std::vector<boot_vcl> boot_vcls_;
    sys::unique_fd initial_commands_;
    std::vector<sys::pid_file> pid_files_;
    std::optional<shm::segment_directory> segments_;
    std::vector<shm::segment> argument_segments_;
    std::optional<shm::counter_segment<tables::mgt_counters>> counters_;
    std::optional<vcl_compiler> compiler_;
    std::optional<supervisor> supervisor_;
    std::optional<vcl_store> store_;
    cli::registry commands_;
    std::optional<sessions> sessions_;
    sys::unique_fd signals_;
    base::seconds started_ = 0;
    std::string secret_;
    bool made_secret_ = false;
    int forced_status_ = -1;
};

} // namespace clearcoat::manager
