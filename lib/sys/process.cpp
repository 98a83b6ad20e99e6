#include "sys/process.hpp"

#include "sys/fd.hpp"
#include "sys/signals.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace clearcoat::sys {

namespace {

std::vector<char*> pointers(const std::vector<std::string>& texts) {
    std::vector<char*> out;
    out.reserve(texts.size() + 1);
    for (const std::string& text : texts) {
        out.push_back(const_cast<char*>(text.c_str()));
    }
    out.push_back(nullptr);
    return out;
}

// Between fork and exec: async-signal-safe calls only. `moves` is first copied above every target, so that no target
// overwrites a source that is still needed.
void place_descriptors(std::vector<std::pair<int, int>>& moves) noexcept {
    int above = 3;
    for (const auto& [from, to] : moves) {
        above = std::max({above, from + 1, to + 1});
    }
    for (auto& [from, to] : moves) {
        from = ::fcntl(from, F_DUPFD_CLOEXEC, above);
    }
    for (const auto& [from, to] : moves) {
        ::dup2(from, to);
    }
}

[[noreturn]] void run_child(const char* program, char* const* arguments, char* const* environment,
                            std::vector<std::pair<int, int>>& moves, bool no_core_dump, int report) noexcept {
    if (no_core_dump) {
        const rlimit none{0, RLIM_INFINITY};
        ::setrlimit(RLIMIT_CORE, &none);
    }
    place_descriptors(moves);
    unblock_all_signals();
    ::execve(program, arguments, environment);
    const int error = errno;
    if (::write(report, &error, sizeof error) < 0) {
        // The parent sees the exit status.
    }
    ::_exit(127);
}

} // namespace

pid_t spawn(const spawn_request& request) {
    const std::vector<char*> arguments = pointers(request.arguments);
    const std::vector<char*> environment = pointers(request.environment);
    auto moves = request.descriptors;
    auto [report_in, report_out] = make_pipe();
    if (!report_in) {
        return -1;
    }
    // The report must lie above every target number.
    int above = 3;
    for (const auto& [from, to] : moves) {
        above = std::max(above, to + 1);
    }
    const unique_fd report(::fcntl(report_out.get(), F_DUPFD_CLOEXEC, above));
    report_out.reset();
    const pid_t pid = ::fork();
    if (pid == 0) {
        run_child(request.program.c_str(), arguments.data(), environment.data(), moves, request.no_core_dump,
                  report.get());
    }
    const_cast<unique_fd&>(report).reset();
    if (pid < 0) {
        return -1;
    }
    int error = 0;
    if (::read(report_in.get(), &error, sizeof error) == sizeof error) {
        ::waitpid(pid, nullptr, 0);
        errno = error;
        return -1;
    }
    return pid;
}

std::vector<std::string> environment_with(const std::string& assignment) {
    const std::string prefix = assignment.substr(0, assignment.find('=') + 1);
    std::vector<std::string> out;
    for (char** at = environ; *at != nullptr; ++at) {
        if (std::strncmp(*at, prefix.c_str(), prefix.size()) != 0) {
            out.emplace_back(*at);
        }
    }
    out.push_back(assignment);
    return out;
}

wait_result wait_for(pid_t pid, bool block, process_end& end) noexcept {
    int status = 0;
    pid_t got = 0;
    do {
        got = ::waitpid(pid, &status, block ? 0 : WNOHANG);
    } while (got < 0 && errno == EINTR);
    if (got == 0) {
        return wait_result::running;
    }
    if (got < 0) {
        return wait_result::failed;
    }
    end.exited = WIFEXITED(status);
    end.status = end.exited ? WEXITSTATUS(status) : WTERMSIG(status);
    end.core_dumped = !end.exited && WCOREDUMP(status);
    return wait_result::ended;
}

void set_thread_name(const char* name) noexcept {
    ::prctl(PR_SET_NAME, name);
}

bool die_with_parent(pid_t parent) noexcept {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    return ::getppid() == parent;
}

void daemoniser::go_background() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) < 0) {
        ::_exit(255);
    }
    const pid_t pid = ::fork();
    if (pid < 0) {
        ::_exit(255);
    }
    if (pid == 0) {
        ::close(ends[0]);
        ::setsid();
        point_at_null(STDIN_FILENO);
        pipe_ = ends[1];
        return;
    }
    ::close(ends[1]);
    unsigned char status = 255;
    const ssize_t got = ::read(ends[0], &status, 1);
    ::_exit(got == 1 ? status : 255);
}

void daemoniser::tell_parent(int status) noexcept {
    if (pipe_ < 0) {
        return;
    }
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        point_at_null(fd);
    }
    const auto byte = static_cast<unsigned char>(status);
    if (::write(pipe_, &byte, 1) != 1) {
        // The parent is gone; nobody waits.
    }
    ::close(std::exchange(pipe_, -1));
}

unsigned usable_cpus() noexcept {
    cpu_set_t set;
    if (::sched_getaffinity(0, sizeof set, &set) != 0) {
        return 1;
    }
    return std::max(1, CPU_COUNT(&set));
}

std::string platform() {
    utsname name{};
    if (::uname(&name) != 0) {
        return {};
    }
    return std::string(name.sysname) + ',' + name.release + ',' + name.machine;
}

std::string host_name() {
    char name[1024] = "";
    ::gethostname(name, sizeof name - 1);
    return name;
}

} // namespace clearcoat::sys
