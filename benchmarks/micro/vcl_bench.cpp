// What VCL costs: judging and loading a file of 1,000 lines, the builtin policy for one cache hit, one ACL lookup, and
// the whole process of `varnishd -C` on the file that packages install, when both are there.
#include "benchmarks/micro/harness.hpp"

#include "support/scripted_log.hpp"
#include "support/vcl_world.hpp"
#include "tables/vcl_variables.hpp"
#include "vcl/vm/acl.hpp"
#include "vcl/vm/init_host.hpp"
#include "vcl/vm/machine.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace clearcoat;
using tables::vcl_variable;

namespace {

class silent_log : public base::log_writer {
  public:
    void write(log_tag, std::string_view) noexcept override {}
    std::span<char> begin(log_tag) noexcept override { return {}; }
    void end(std::size_t) noexcept override {}
    void flush() noexcept override {}
};

/// A GET request for a page, as cheap to ask as a real task is.
class page_request : public vcl::init_host {
  public:
    page_request(const vcl::instance& code, vcl::environment& e) : init_host(code, e, true) {}
    base::log_writer& log() noexcept override { return log_; }
    std::string_view header(vcl::message, std::string_view name) noexcept override {
        return name == "Host" ? std::string_view("www.example.com") : std::string_view();
    }
    vcl::value get(vcl_variable v) noexcept override {
        switch (v) {
        case vcl_variable::req_method:
            return vcl::value::of(std::string_view("GET"));
        case vcl_variable::req_url:
            return vcl::value::of(std::string_view("/articles/2024/how-caches-work.html"));
        case vcl_variable::req_proto:
            return vcl::value::of(std::string_view("HTTP/1.1"));
        case vcl_variable::obj_ttl:
        case vcl_variable::obj_grace:
            return vcl::value::of_real(100);
        default:
            return vcl::value::of_integer(0);
        }
    }

  private:
    silent_log log_;
};

std::string thousand_lines() {
    std::string text = "vcl 4.1;\nbackend default { .host = \"127.0.0.1\"; }\n";
    for (int i = 0; i < 90; ++i) {
        std::string n = std::to_string(i);
        text += "sub part_" + n + " {\n    if (req.url ~ \"^/section" + n + "/\" && !req.http.X-Skip) {\n" +
                "        set req.http.X-Section = \"s\" + " + n + " + req.url;\n" +
                "        unset req.http.Cookie;\n    } elseif (req.http.Host == \"www" + n + ".example.com\") {\n" +
                "        set req.url = regsub(req.url, \"\\?.*\", \"\");\n        set req.ttl = " + n +
                "m + 1s;\n    }\n    # comment\n}\n\n";
    }
    text += "sub vcl_recv {\n";
    for (int i = 0; i < 90; ++i) {
        text += "    call part_" + std::to_string(i) + ";\n";
    }
    return text + "}\n";
}

void compiling(const std::string& text) {
    test::vcl_world world;
    world.options.jit = false;
    bench::measure("judge 1,000 lines", [&] { bench::keep(world.compile(text).code.get()); });
    bench::measure("judge 5 lines", [&] {
        bench::keep(world.compile("vcl 4.1;\nbackend default none;\nsub vcl_recv {\nreturn (pass);\n}\n").code.get());
    });
    world.options.jit = true;
    bench::measure("load 1,000 lines", [&] { bench::keep(world.load(text).get()); });
}

void builtin_path() {
    test::vcl_world world;
    auto code = world.load("vcl 4.1; backend default { .host = \"127.0.0.1\"; }");
    if (code == nullptr) {
        std::fprintf(stderr, "%s\n", world.error.c_str());
        return;
    }
    page_request task(*code, world.around);
    vcl::machine m;
    bench::measure("builtin: recv, hash, hit, deliver", [&] {
        for (vcl::sub_id s : {vcl::sub_id::recv, vcl::sub_id::hash, vcl::sub_id::hit, vcl::sub_id::deliver}) {
            m.start(*code, s, task);
            bench::keep(m.run().result);
        }
        task.workspace().reset();
    });
}

void acl_lookup() {
    std::vector<vcl::acl::rule> rules;
    for (std::uint8_t i = 0; i < 200; ++i) {
        base::ip_address a;
        a.bytes = {10, i, static_cast<std::uint8_t>(i * 7), 0};
        rules.push_back({a, 24, false, ""});
    }
    vcl::acl list("list", false, std::move(rules));
    base::ip_address asked = *base::parse_ip("10.100.188.9");
    bench::measure("ACL of 200 entries", [&] {
        asked.bytes[1] = static_cast<std::uint8_t>(asked.bytes[1] + 37);
        bench::keep(list.match(asked));
    });
}

/// Runs `varnishd -C -f file`, its listing thrown away; nanoseconds by the clock, or less than 0 when it failed.
double check(std::string program, std::string file) {
    std::string c = "-C";
    std::string f = "-f";
    char* arguments[] = {program.data(), c.data(), f.data(), file.data(), nullptr};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const auto began = std::chrono::steady_clock::now();
    pid_t pid = 0;
    int status = -1;
    const bool ran = posix_spawn(&pid, program.c_str(), &files, nullptr, arguments, environ) == 0 &&
                     waitpid(pid, &status, 0) == pid && status == 0;
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - began;
    posix_spawn_file_actions_destroy(&files);
    return ran ? took.count() : -1;
}

/// The varnishd beside this program's folder.
void whole_process(bool quick) {
    const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const std::string program = here.parent_path() / "bin" / "varnishd";
    const std::string file = "/etc/varnish/default.vcl";
    if (access(program.c_str(), X_OK) != 0 || access(file.c_str(), R_OK) != 0) {
        return;
    }
    std::vector<double> times;
    for (int i = 0; i < (quick ? 2 : 100); ++i) {
        times.push_back(check(program, file));
    }
    std::sort(times.begin(), times.end());
    if (times.front() < 0) {
        std::fprintf(stderr, "%s -C -f %s failed\n", program.c_str(), file.c_str());
        return;
    }
    std::printf("%-40s %12.1f\n", "varnishd -C: the process, best", times.front());
    std::printf("%-40s %12.1f\n", "varnishd -C: the process, median", times[times.size() / 2]);
}

} // namespace

int main(int argc, char** argv) {
    bench::set_up(argc, argv);
    compiling(thousand_lines());
    builtin_path();
    acl_lookup();
    whole_process(argc > 1 && std::string_view(argv[1]) == "--quick");
}
