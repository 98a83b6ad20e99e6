// What VCL costs: judging and loading a file of 1,000 lines, the builtin policy for one cache hit, one ACL lookup.
#include "benchmarks/micro/harness.hpp"

#include "support/scripted_log.hpp"
#include "support/vcl_world.hpp"
#include "tables/vcl_variables.hpp"
#include "vcl/vm/acl.hpp"
#include "vcl/vm/init_host.hpp"
#include "vcl/vm/machine.hpp"

#include <cstdio>
#include <cstring>

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
    page_request(const vcl::instance& code, vcl::environment& e) : init_host(code, e) {}
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

} // namespace

int main(int argc, char** argv) {
    bench::set_up(argc, argv);
    compiling(thousand_lines());
    builtin_path();
    acl_lookup();
}
