// The code for runs without VCL_trace does what the traced code does.
#include "support/scripted_host.hpp"
#include "support/vcl_world.hpp"
#include "tables/log_tags.hpp"
#include "tables/vcl_variables.hpp"
#include "vcl/code/image.hpp"
#include "vcl/vm/machine.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using tables::vcl_variable;
using vcl::message;
using vcl::sub_id;

namespace {

const std::string head = "vcl 4.1;\nbackend b { .host = \"127.0.0.1\"; }\n";

struct result {
    vcl::outcome outcome;
    std::vector<std::pair<std::string, std::string>> headers;
    std::vector<std::string> hashed;
    std::string failure;
    std::size_t traces;
};

struct request {
    std::string method = "GET";
    std::string protocol = "HTTP/1.1";
    std::vector<std::pair<std::string, std::string>> headers = {{"Host", "Example.com"}};
};

result run(const std::shared_ptr<vcl::instance>& code, sub_id which, const request& from, bool traced) {
    test::scripted_host host;
    host.loaded = code.get();
    host.records.traced = traced;
    host.variables[vcl_variable::req_url] = vcl::value::of(std::string_view("/a"));
    host.variables[vcl_variable::req_method] = vcl::value::of(std::string_view(from.method));
    host.variables[vcl_variable::req_proto] = vcl::value::of(std::string_view(from.protocol));
    host.variables[vcl_variable::req_esi_level] = vcl::value::of_integer(0);
    for (const auto& h : from.headers) {
        host.headers[message::req].push_back(h);
    }
    vcl::machine m;
    m.start(*code, which, host);
    result r{m.run(), {}, host.hashed, host.failure, 0};
    for (const auto& [name, value] : host.headers[message::req]) {
        r.headers.emplace_back(name, value);
    }
    for (const auto& record : host.records.records) {
        r.traces += record.tag == log_tag::VCL_trace ? 1 : 0;
    }
    return r;
}

void check_both(const std::string& text, sub_id which, const request& from) {
    test::vcl_world world;
    const std::shared_ptr<vcl::instance> code = world.load(head + text);
    INFO(world.error);
    REQUIRE(code != nullptr);
    const result traced = run(code, which, from, true);
    const result quick = run(code, which, from, false);
    CHECK(traced.traces > 0);
    CHECK(quick.traces == 0);
    CHECK(quick.outcome.result == traced.outcome.result);
    CHECK(quick.outcome.status == traced.outcome.status);
    CHECK(quick.headers == traced.headers);
    CHECK(quick.hashed == traced.hashed);
    CHECK(quick.failure == traced.failure);
}

} // namespace

TEST_CASE("the builtin policy decides alike with and without traces", "[vcl]") {
    for (const char* method : {"GET", "HEAD", "POST", "TRACE", "BREW", "PRI"}) {
        for (const char* protocol : {"HTTP/1.0", "HTTP/1.1"}) {
            for (const char* name : {"Host", "Cookie", "Authorization"}) {
                check_both("", sub_id::recv, {method, protocol, {{name, "Some.Value"}}});
            }
        }
    }
    check_both("", sub_id::hash, {"GET", "HTTP/1.1", {}});
    check_both("", sub_id::hash, {});
}

TEST_CASE("branches around inlined subroutines lead to the right places", "[vcl]") {
    const std::string text =
        "sub outer { if (req.method == \"HEAD\") { call inner; } else { set req.http.x = \"not\"; }\n"
        "  set req.http.y = req.http.x + req.http.z; }\n"
        "sub inner { if (!req.http.z) { set req.http.z = req.method; }\n"
        "  if (req.http.q) { return (pass); } set req.http.x = \"in\" + req.http.z; }\n"
        "sub vcl_recv { call outer; if (req.http.x != \"not\") { call inner; } return (hash); }\n";
    for (const char* method : {"GET", "HEAD"}) {
        check_both(text, sub_id::recv, {method, "HTTP/1.1", {}});
        check_both(text, sub_id::recv, {method, "HTTP/1.1", {{"q", "1"}}});
        check_both(text, sub_id::recv, {method, "HTTP/1.1", {{"z", "1"}}});
    }
}

TEST_CASE("an undefined string is neither equal nor unequal in a fused test but as in a plain one", "[vcl]") {
    const std::string text = "sub vcl_recv { if (client.identity == \"a\") { return (pass); }\n"
                             "  if (client.identity != \"a\") { return (pipe); } return (hash); }\n";
    check_both(text, sub_id::recv, {});
}

TEST_CASE("quick code of the builtin policy has no calls and no trace points", "[vcl]") {
    test::vcl_world world;
    const std::shared_ptr<vcl::instance> code = world.load(head);
    REQUIRE(code != nullptr);
    const vcl::program_image& image = code->code().image();
    const vcl::subroutine& recv = *image.builtins[static_cast<std::size_t>(sub_id::recv)];
    for (std::size_t i = recv.quick_entry; image.quick[i].op != vcl::opcode::leave; ++i) {
        CHECK(image.quick[i].op != vcl::opcode::call);
        CHECK(image.quick[i].op != vcl::opcode::place);
    }
}
