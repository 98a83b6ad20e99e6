// What compiled VCL does, in a scripted task.
#include "support/scripted_host.hpp"
#include "support/vcl_world.hpp"
#include "tables/log_tags.hpp"
#include "tables/vcl_variables.hpp"
#include "vcl/vm/machine.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using tables::vcl_variable;
using vcl::action;
using vcl::message;
using vcl::sub_id;

namespace {

const std::string head = "vcl 4.1;\nbackend b { .host = \"127.0.0.1\"; }\nbackend c { .host = \"127.0.0.2\"; }\n"
                         "sub vcl_recv { set req.backend_hint = c; set req.backend_hint = b; }\n";

struct run {
    test::vcl_world world;
    test::scripted_host host;
    std::shared_ptr<vcl::instance> code;
    base::ip_address client = *base::parse_ip("10.1.2.3");

    explicit run(const std::string& text) : code(world.load(head + text)) {
        INFO(world.error);
        REQUIRE(code != nullptr);
        host.loaded = code.get();
        host.variables[vcl_variable::req_url] = vcl::value::of(std::string_view("/a/b?c=d"));
        host.variables[vcl_variable::req_method] = vcl::value::of(std::string_view("GET"));
        host.variables[vcl_variable::req_proto] = vcl::value::of(std::string_view("HTTP/1.1"));
        host.variables[vcl_variable::req_restarts] = vcl::value::of_integer(0);
        host.variables[vcl_variable::req_esi_level] = vcl::value::of_integer(0);
        host.variables[vcl_variable::req_ttl] = vcl::value::of_real(10);
        host.variables[vcl_variable::now] = vcl::value::of_real(1519119031);
        host.variables[vcl_variable::client_ip] = vcl::value::of(const_cast<const base::ip_address*>(&client));
        host.headers[message::req] = {{"Host", "Example.com"}, {"Accept", "text/html"}};
    }

    vcl::outcome operator()(sub_id which = sub_id::recv) {
        vcl::machine m;
        m.start(*code, which, host);
        return m.run();
    }
    /// The value of req.http.x after vcl_recv ran `set req.http.x = EXPRESSION;`.
    static std::string value_of(const std::string& expression) {
        run r("sub vcl_recv { set req.http.x = " + expression + "; return (pass); }");
        r();
        CHECK(r.host.failure.empty());
        return std::string(r.host.header(message::req, "x"));
    }
    static bool holds(const std::string& condition) {
        run r("acl a { \"10.0.0.0\"/8; ! \"10.1.2.0\"/24; \"10.1.2.3\"; }\n"
              "acl never { \"::1\"; }\n"
              "sub vcl_recv { if (client.ip ~ a && client.ip ~ never) { } if (" +
              condition + ") { return (pass); } return (pipe); }");
        return r().result == action::pass;
    }
};

} // namespace

TEST_CASE("the builtin policy runs behind the VCL's own text") {
    run r("");
    CHECK(r().result == action::hash);
    CHECK(r.host.header(message::req, "host") == "example.com");
    r.host.headers[message::req].emplace_back("Cookie", "a=b");
    CHECK(r().result == action::pass);
    r.host.variables[vcl_variable::req_method] = vcl::value::of(std::string_view("BREW"));
    CHECK(r().result == action::pipe);
}

TEST_CASE("hashing with and without a host") {
    run r("");
    CHECK(r(sub_id::hash).result == action::lookup);
    CHECK(r.host.hashed == std::vector<std::string>{"/a/b?c=d", "Example.com"});
}

TEST_CASE("strings are built from everything") {
    CHECK(run::value_of("\"a\" + \"b\"") == "ab");
    CHECK(run::value_of("req.url + req.http.nix + 1 + 2.5 + 3s + true") == "/a/b?c=d12.5003.000true");
    CHECK(run::value_of("now") == "Tue, 20 Feb 2018 09:30:31 GMT");
    CHECK(run::value_of("client.ip") == "10.1.2.3");
    CHECK(run::value_of("req.http.nix") == "");
    CHECK(run::value_of("req.url.upper()") == "/A/B?C=D");
    CHECK(run::value_of("req.http.host.lower()") == "example.com");
    CHECK(run::value_of("b") == "b");
    CHECK(run::value_of("1 + 2 * 3 - 10 / 4 + 7 % 4") == "8");
    CHECK(run::value_of("1m + 1.5s") == "61.500");
    CHECK(run::value_of("-(3) + 5") == "-8");
    CHECK(run::value_of("now - now") == "0.000");
    CHECK(run::value_of("(1 < 2)") == "true");
}

TEST_CASE("regsub and regsuball") {
    CHECK(run::value_of("regsub(req.url, \"\\?.*$\", \"\")") == "/a/b");
    CHECK(run::value_of("regsub(req.url, \"^/(.)/(.)\", \"/\\2/\\1\")") == "/b/a?c=d");
    CHECK(run::value_of("regsuball(req.url, \"[a-c]\", \"<\\0>\")") == "/<a>/<b>?<c>=d");
    CHECK(run::value_of("regsub(req.url, \"nix\", \"y\")") == "/a/b?c=d");
    CHECK(run::value_of("regsuball(req.url, \"x*\", \"-\")") == "-/a/b?c=d");
    CHECK(run::value_of("regsub(req.http.nix, \"^$\", \"empty\\\\\")") == "empty\\");
}

TEST_CASE("conditions") {
    CHECK(run::holds("req.url ~ \"^/a\""));
    CHECK_FALSE(run::holds("req.url !~ \"^/a\""));
    CHECK(run::holds("req.http.host"));
    CHECK(run::holds("!req.http.nix"));
    CHECK(run::holds("req.http.nix != \"\""));
    CHECK(run::holds("req.http.nix + req.http.nix == \"\""));
    CHECK(run::holds("req.restarts == 0 && (req.ttl > 5s || req.http.nix)"));
    CHECK_FALSE(run::holds("req.restarts == 0 && (req.ttl > 50s || req.http.nix)"));
    CHECK(run::holds("!(req.http.nix || req.restarts > 0)"));
    CHECK(run::holds("client.ip ~ a"));
    CHECK(run::holds("client.ip !~ never"));
    CHECK(run::holds("client.ip == \"10.1.2.3\""));
    CHECK(run::holds("b == b && b != c"));
    CHECK(run::holds("\"b\" > \"a\" && \"a\" <= \"a\""));
    CHECK(run::holds("true && !false"));
}

TEST_CASE("branches, elsewise and nested calls") {
    run r("sub deep { set req.http.trail = req.http.trail + \"d\"; if (req.url ~ \"stop\") { return; } call deeper; }\n"
          "sub deeper { set req.http.trail = req.http.trail + \"e\"; }\n"
          "sub vcl_recv {\n"
          "  if (req.method == \"POST\") { return (pipe); }\n"
          "  elsif (req.method == \"HEAD\") { return (purge); }\n"
          "  else if (req.http.nix) { return (purge); }\n"
          "  else { call deep; call deep; }\n"
          "  set req.http.trail += \"!\";\n"
          "  unset req.http.accept;\n"
          "  return (synth(700 + 51, \"because \" + req.http.trail));\n"
          "}");
    vcl::outcome o = r();
    CHECK(o.result == action::synth);
    CHECK(o.status == 751);
    CHECK(o.reason == "because dede!");
    CHECK(r.host.header(message::req, "accept").data() == nullptr);
    CHECK(r.host.variables[vcl_variable::req_backend_hint].backend->name() == "b");
    r.host.variables[vcl_variable::req_method] = vcl::value::of(std::string_view("HEAD"));
    CHECK(r().result == action::purge);
}

TEST_CASE("what a subroutine can end with") {
    CHECK(run("sub vcl_recv { return (vcl(lab)); }")().label == "lab");
    run r("sub vcl_backend_response { return (pass(2m)); }\nsub vcl_backend_fetch { return (error); }\n"
          "sub vcl_hit { return (fail(\"no\" + 1)); }\nsub vcl_miss { return (synth(99)); }");
    CHECK(r(sub_id::backend_response).duration == 120);
    CHECK(r(sub_id::backend_fetch).result == action::error);
    CHECK(r(sub_id::hit).result == action::fail);
    CHECK(r.host.failure == "no1");
    r.host.forget_failure();
    CHECK(r(sub_id::miss).result == action::fail);
    CHECK(r.host.failure == "illegal return(synth()) status code (99) (..0##)");
}

TEST_CASE("bodies, bans, unset variables") {
    run r("sub vcl_synth { set resp.body = \"a\" + req.http.nix; synthetic(\"b\"); set resp.body += \"c\"; "
          "ban(\"req.url ~ \" + req.url); return (deliver); }");
    CHECK(r(sub_id::synth).result == action::deliver);
    CHECK(r.host.synthetic_body == "a(null)bc");
    CHECK(r.host.bans == std::vector<std::string>{"req.url ~ /a/b?c=d"});
}

TEST_CASE("ACLs log what they decide") {
    run r("acl a +log { \"10.1.2.0\"/24; ! \"10.1.2.3\"; }\nsub vcl_recv { if (client.ip ~ a) { } return (pass); }");
    r();
    CHECK(r.host.records.last(log_tag::VCL_acl) == "NEG_MATCH a \"10.1.2.3\"");
    r.client = *base::parse_ip("10.1.2.4");
    r.host.records.records.clear();
    r();
    CHECK(r.host.records.last(log_tag::VCL_acl) == "MATCH a \"10.1.2.0\"/24");
    r.client = *base::parse_ip("10.9.9.9");
    r.host.records.records.clear();
    r();
    CHECK(r.host.records.last(log_tag::VCL_acl) == "NO_MATCH a");
}

TEST_CASE("division by zero fails the task") {
    run r("sub vcl_recv { set req.http.x = 1 / req.restarts; }");
    CHECK(r().result == action::fail);
    CHECK(r.host.failure == "Division by zero");
}

TEST_CASE("backends take the default probe; the first backend is the default") {
    run r("probe default { .url = \"/ping\"; .initial = 1; }\nbackend d { .host = \"127.0.0.1\"; .port = \"81\"; }\n"
          "sub vcl_recv { set req.backend_hint = d; }");
    REQUIRE(r.world.around.specs.size() == 3);
    CHECK(r.world.around.specs[2].ipv4->port == 81);
    CHECK(r.world.around.specs[2].probe->url == "/ping");
    CHECK(r.code->default_backend()->name() == "b");
    CHECK(r.code->backend("d") != nullptr);
}

TEST_CASE("vcl_init that fails refuses the VCL") {
    test::vcl_world w;
    CHECK(w.load(head + "sub vcl_init { return (fail(\"not today\")); }") == nullptr);
    CHECK(w.error == "not today\n");
}
