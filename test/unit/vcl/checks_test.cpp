// Which VCLs are refused, and with which words.
#include "support/vcl_world.hpp"

#include <catch2/catch.hpp>

using clearcoat::test::vcl_world;

namespace {

const std::string backend = "backend b { .host = \"127.0.0.1\"; }\n";

std::string refused(const std::string& body, const std::string& version = "4.1") {
    vcl_world w;
    auto r = w.compile("vcl " + version + ";\n" + backend + body);
    return r.code == nullptr ? r.messages : "";
}

bool accepted(const std::string& body, const std::string& version = "4.1") {
    vcl_world w;
    auto r = w.compile("vcl " + version + ";\n" + backend + body);
    INFO(r.messages);
    CHECK(r.messages.empty());
    return r.code != nullptr;
}

bool says(const std::string& text, const std::string& part) {
    INFO(text);
    bool found = text.find(part) != std::string::npos;
    CHECK(found);
    return found;
}

} // namespace

TEST_CASE("a VCL needs a version and a backend") {
    vcl_world w;
    CHECK(says(w.compile("backend b none;").messages, "VCL version declaration missing\nUpdate your VCL"));
    CHECK(says(w.compile("vcl 4.1;").messages, "No backends or directors found in VCL program"));
    CHECK(says(w.compile("vcl 3.0; backend b none;").messages, "VCL version 3.0 not supported."));
    CHECK(says(w.compile("vcl 4.1\nbackend b none;").messages, "Expected 'vcl N.N;' found no semi-colon"));
    CHECK(w.compile("vcl 4.0; backend default none;").code != nullptr);
}

TEST_CASE("declarations without a version load when old VCLs are wanted") {
    vcl_world w;
    w.options.legacy = true;
    auto r = w.compile("backend default { .host = \"127.0.0.1\"; .port = \"8080\"; }\nacl purge { \"localhost\"; }");
    CHECK(r.code == nullptr); // the ACL is not used
    w.options.err_unref = false;
    r = w.compile("backend default { .host = \"127.0.0.1\"; .port = \"8080\"; }\nacl purge { \"localhost\"; }");
    REQUIRE(r.code != nullptr);
    CHECK(r.code->version() == 40);
    CHECK(says(r.messages, "loaded as VCL 4.0"));
    CHECK(w.compile("backend b none; sub vcl_recv { }").code == nullptr);
}

TEST_CASE("the layout of a message") {
    CHECK(refused("sub vcl_recv {\n\tset req.http.x = \"a\" + nix;\n}") ==
          "Symbol not found: 'nix'\nAt: ('<vcl.inline>' Line 4 Pos 32) -- (Pos 34)\n"
          "        set req.http.x = \"a\" + nix;\n"
          "-------------------------------###-\n\n");
}

TEST_CASE("variables are bound to subroutines and versions") {
    CHECK(says(refused("sub vcl_recv { set beresp.ttl = 1s; }"), "Cannot be set in subroutine 'vcl_recv'."));
    CHECK(says(refused("sub vcl_recv { if (obj.ttl > 1s) { } }"), "Not available in subroutine 'vcl_recv'."));
    CHECK(says(refused("sub vcl_recv { set req.restarts = 1; }"), "Variable is read only."));
    CHECK(says(refused("sub vcl_recv { unset req.url; }"), "Variable cannot be unset."));
    CHECK(says(refused("sub vcl_recv { set req.proto = \"x\"; }"), "Variable is read only."));
    CHECK(accepted("sub vcl_recv { set req.proto = \"x\"; }", "4.0"));
    CHECK(says(refused("sub vcl_recv { set req.esi = true; }"), "(Only available when VCL syntax <= 4.0)"));
    CHECK(says(refused("sub vcl_recv { if (local.socket) { } }", "4.0"), "(Only available when 4.1 <= VCL syntax)"));
}

TEST_CASE("types and operators") {
    CHECK(says(refused("sub vcl_recv { set req.ttl = 5; }"), "Expression has type INT, expected DURATION"));
    CHECK(says(refused("sub vcl_recv { set req.ttl = 5 fortnights; }"), "Unknown duration unit 'fortnights'"));
    CHECK(says(refused("sub vcl_recv { if (req.url == 5) { } }"), "Comparison of different types: STRING '==' INT"));
    CHECK(says(refused("sub vcl_recv { if (client.ip < client.ip) { } }"), "Operator < not possible on IP"));
    CHECK(says(refused("sub vcl_recv { set req.ttl = 5s * \"a\"; }"), "DURATION * STRING not possible."));
    CHECK(says(refused("sub vcl_recv { if (!req.time) { } }"), "'!' must be followed by BOOL, found TIME."));
    CHECK(says(refused("sub vcl_recv { if (req.url ~ \"(\") { } }"), "Regexp compilation error:"));
    CHECK(
        says(refused("sub vcl_recv { if (req.url.length() > 1) { } }"), "Unknown property 'length' for type STRINGS"));
    CHECK(accepted("sub vcl_recv { set req.http.x = req.url.upper() + 1 + 2.5 + 3s + true + now + client.ip; }"));
    CHECK(accepted("sub vcl_recv { if (!(req.ttl > 1h && req.restarts == 0) || req.http.a) { return (pass); } }"));
    CHECK(accepted("sub vcl_backend_response { set beresp.ttl *= 0.5; set beresp.grace += 1h; }"));
}

TEST_CASE("returns are checked through the subroutines that are called") {
    CHECK(says(refused("sub vcl_recv { return (deliver); }"), "Invalid return \"deliver\""));
    std::string text = refused("sub f { return (deliver); }\nsub vcl_recv { call f; }");
    CHECK(says(text, "...called from \"vcl_recv\""));
    CHECK(
        says(text, "Legal returns are: \"fail\" \"hash\" \"pass\" \"pipe\" \"purge\" \"restart\" \"synth\" \"vcl\"\n"));
    CHECK(says(refused("sub vcl_recv { return (nix); }"), "Expected return action name."));
    CHECK(says(refused("sub vcl_recv { return (synth); }"), "Missing argument."));
    CHECK(says(refused("sub vcl_recv { return (hash(1)); }"), "Arguments not allowed."));
    CHECK(accepted("sub vcl_recv { return (synth(404, \"no \" + req.url)); }"));
    CHECK(accepted("sub vcl_recv { return (vcl(lab)); }"));
    CHECK(accepted("sub vcl_backend_response { return (pass(120s)); }"));
}

TEST_CASE("subroutines") {
    CHECK(says(refused("sub x { call y; }\nsub y { call x; }\nsub vcl_recv { call x; }"), "Subroutine recurses on"));
    CHECK(says(refused("sub vcl_recv { call nix; }"), "Undefined sub nix, first reference:"));
    CHECK(says(refused("sub f { }"), "Unused sub f, defined:"));
    CHECK(says(refused("sub f { } sub f { } sub vcl_recv { call f; }"), "Subroutine 'f' redefined"));
    CHECK(says(refused("sub vcl_nix { }"), "The names 'vcl_*' are reserved for subroutines."));
    CHECK(says(refused("sub vcl_recv { hash_data(req.url); }"), "Not a valid action in subroutine 'vcl_recv'."));
    CHECK(accepted("sub vcl_recv { } sub vcl_recv { } sub vcl_req_host { }"));
    CHECK(says(refused("sub vcl_recv { if (true) { } else foo { } }"), "'else' must be followed by 'if' or '{'"));
    CHECK(says(refused("sub vcl_recv { C{ int i; }C }"), "Inline-C not allowed"));
}

TEST_CASE("unused symbols are a warning when the parameter says so") {
    vcl_world w;
    w.options.err_unref = false;
    auto r = w.compile("vcl 4.1;\n" + backend + "sub f { }\n");
    CHECK(r.code != nullptr);
    CHECK(says(r.messages, "Unused sub f, defined:"));
    CHECK(says(r.messages, "(That was just a warning)\n"));
}

TEST_CASE("backends and probes") {
    CHECK(says(refused("backend c { .port = \"80\"; }"), "Expected .host or .path."));
    CHECK(says(refused("backend c { .host = \"127.0.0.1\"; .host = \"127.0.0.2\"; }"), "Field 'host' redefined at:"));
    CHECK(says(refused("backend c { .nix = \"1\"; }"), "Unknown field: 'nix' at"));
    CHECK(says(refused("backend c { .host = \"no.such\"; }"),
               "Backend host '\"no.such\"' could not be resolved to an IP address:\n\tName or service not known"));
    CHECK(says(refused("backend c { .host = \"\"; }"), "Backend host '\"\"' could not be resolved"));
    CHECK(accepted("backend c { .host = \":80\"; } sub vcl_recv { set req.backend_hint = c; }"));
    CHECK(says(refused("backend c { .host = \"[]:80\"; }"), "Backend host '\"[]:80\"' could not be resolved"));
    CHECK(says(refused("backend b { .host = \"127.0.0.1\"; }"), "Backend 'b' redefined."));
    CHECK(says(refused("backend c { .host = \"127.0.0.1\"; .probe = p; }"), "Symbol not found: 'p'"));
    CHECK(says(refused("probe p { .window = 3; }\nbackend c { .host = \"127.0.0.1\"; .probe = p; }"),
               "Must specify .threshold with .window"));
    CHECK(accepted("probe p { .url = \"/x\"; .threshold = 3; .window = 5; .interval = 1s; }\n"
                   "backend c { .host = \"127.0.0.1\"; .probe = p; .max_connections = 3; }\n"
                   "sub vcl_recv { set req.backend_hint = c; }"));
}

TEST_CASE("ACLs") {
    const std::string use = "sub vcl_recv { if (client.ip ~ a) { } }";
    CHECK(accepted("acl a +log { \"10.0.0.0\"/8; ! \"10.1/16\"; \"::1\"; }\n" + use));
    vcl_world w;
    auto r = w.compile("vcl 4.1;\n" + backend + "acl a { (\"no.such\"); }\n" + use);
    CHECK(r.code != nullptr);
    CHECK(r.messages == "Warning: no.such ignored\n  -- Name or service not known\n");
    CHECK(says(refused("acl a { \"127.0.0.1\"/33; }\n" + use), "Too wide mask (/33) for IPv4 address"));
    CHECK(says(refused("acl a { \"10.0.0.1\"/8; }\n" + use), "Non-zero bits in masked part, (maybe use 10.0.0.0/8 ?)"));
    CHECK(says(refused("acl a { \"10.0.0.1\"; ! \"10.0.0.1\"; }\n" + use), "Conflicting ACL entries:"));
    CHECK(says(refused("acl a { \"no.such\"; }\n" + use), "DNS lookup(no.such): Name or service not known"));
    CHECK(says(refused("acl a { }"), "Unused acl a, defined:"));
    CHECK(says(refused("sub vcl_recv { if (client.ip ~ nix) { } }"), "Undefined acl nix, first reference:"));
}

TEST_CASE("includes") {
    vcl_world w;
    w.origin = "/etc/vcl/main.vcl";
    w.files.files["/etc/vcl/a.vcl"] = "sub vcl_recv { set req.http.a = 1; }";
    w.files.files["/etc/vcl/d/b.vcl"] = "include \"./c.vcl\";";
    w.files.files["/etc/vcl/d/c.vcl"] = "sub vcl_hit { nix }";
    w.files.files["/etc/vcl/loop.vcl"] = "include \"loop.vcl\";";
    std::string head = "vcl 4.1; backend b none;\n";
    auto r = w.compile(head + "include \"a.vcl\";");
    REQUIRE(r.code != nullptr);
    CHECK(r.code->sources().size() == 3);
    CHECK(r.code->sources()[1].name == "/etc/vcl/a.vcl");
    CHECK(w.compile(head + "include \"./a.vcl\"; include +glob \"/etc/vcl/a*.vcl\";").code != nullptr);
    CHECK(says(w.compile(head + "include \"/etc/vcl/d/b.vcl\";").messages, "('/etc/vcl/d/c.vcl' Line 1 Pos 15)"));
    CHECK(says(w.compile(head + "include \"loop.vcl\";").messages, "Recursive use of file \"/etc/vcl/loop.vcl\""));
    CHECK(says(w.compile(head + "include \"nix.vcl\";").messages,
               "Cannot read file 'nix.vcl' (No such file or directory)"));
    CHECK(says(w.compile(head + "include nix;").messages, "include not followed by string constant."));
}
