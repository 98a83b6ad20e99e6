// Starting and ending processes. Everything that happens between fork and exec is async-signal-safe, so a process with
// threads may start another.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace clearcoat::sys {

struct spawn_request {
    std::string program;                  // path; "/proc/self/exe" is this program again
    std::vector<std::string> arguments;   // [0] is the name shown
    std::vector<std::string> environment; // "NAME=value", the whole of it
    /// Descriptors the new process gets: from ours, to its number. All others are closed by exec or by hand.
    std::vector<std::pair<int, int>> descriptors;
    bool no_core_dump = false;
};

/// The new process's id, or -1 with errno set. A failing exec is reported the same way.
pid_t spawn(const spawn_request& request);

/// This process's environment with `assignment` ("NAME=value") added or replaced.
std::vector<std::string> environment_with(const std::string& assignment);

/// How a process ended.
struct process_end {
    bool exited = false; // else: by signal
    int status = 0;      // exit status or signal number
    bool core_dumped = false;
    bool clean() const noexcept { return exited && status == 0; }
};
enum class wait_result { running, ended, failed };
/// Reaps `pid`; without `block` it returns `running` at once when it still lives.
wait_result wait_for(pid_t pid, bool block, process_end& end) noexcept;

/// What `ps` shows as the command name of the calling thread (15 bytes).
void set_thread_name(const char* name) noexcept;

/// Makes the kernel send SIGKILL to this process when its parent's thread ends; false when the parent is gone already.
bool die_with_parent(pid_t parent) noexcept;

/// Moves into the background: the caller becomes the new process in its own session; the parent waits for tell_parent()
/// and exits with that status (255 where the child dies first).
class daemoniser {
  public:
    void go_background();
    /// Points stdin, stdout and stderr at /dev/null and lets the parent exit with `status`. Harmless where
    /// go_background() was not called.
    void tell_parent(int status) noexcept;

  private:
    int pipe_ = -1;
};

/// How many CPUs this process may use; at least 1.
unsigned usable_cpus() noexcept;

/// "Linux,6.1.0,x86_64", for the banner; empty when unknown.
std::string platform();
std::string host_name();

} // namespace clearcoat::sys
