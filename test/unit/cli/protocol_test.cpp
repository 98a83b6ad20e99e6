#include "cli/auth.hpp"
#include "cli/registry.hpp"
#include "cli/vcl_bundle.hpp"
#include "cli/worker_boot.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat::cli;

TEST_CASE("the response to a challenge is the one of varnish-cli(7)") {
    const std::string challenge = "ixslvvxrgkjptxmcgnnsdxsvdmvfympg";
    const std::string answer = auth_response(challenge, "foo\n");
    CHECK(answer == "455ce847f0073c7ab3b1465f74507b75d3dc064c1e7de3b71e00de9092fdc89a");
    CHECK(auth_matches(challenge, "foo\n", answer));
    CHECK(auth_matches(challenge, "foo\n", "455CE847F0073C7AB3B1465F74507B75D3DC064C1E7DE3B71E00DE9092FDC89A"));
    CHECK_FALSE(auth_matches(challenge, "foo", answer));
    CHECK_FALSE(auth_matches(challenge, "foo\n", answer.substr(1)));
}

TEST_CASE("a challenge is 32 lower-case letters") {
    const std::string challenge = make_challenge(std::string(40, '\xff'));
    CHECK(challenge.size() == challenge_size);
    CHECK(challenge.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos);
}

TEST_CASE("responses are framed and read back") {
    CHECK(frame_response(status::ok, "abc") == "200 3       \nabc\n");
    const auto line = parse_status_line("107 59      \n");
    REQUIRE(line);
    CHECK(line->code == status::auth);
    CHECK(line->size == 59);
    CHECK_FALSE(parse_status_line("abc 59      \n"));
    CHECK_FALSE(parse_status_line("20059       \n"));
}

TEST_CASE("too much text is cut and said to be") {
    reply r(10);
    r.out("0123456789");
    r.out("more");
    CHECK(r.code() == status::truncated);
    CHECK(r.framed() == "201 10      \n0123456789\n");
    reply long_one(10);
    long_one.out("0123456789abcdef");
    CHECK(long_one.framed() == "201 9       \n012345678\n");
}

TEST_CASE("tables are aligned as the reference aligns them") {
    reply r;
    r.table("active\tauto\twarm\t     0\tboot\n");
    CHECK(r.text() == "active   auto    warm         0    boot\n");
}

TEST_CASE("JSON has the reference's prologue and layout") {
    reply r;
    r.json_begin({"pid", "-j"}, 1.5);
    r.print(",\n  {{\"master\": {}", 7);
    r.out("}");
    r.json_end();
    CHECK(r.text() == "[ 2, [\"pid\", \"-j\"], 1.500,\n  {\"master\": 7}\n]\n");
    CHECK(json_escape("a\"\\\n\x01") == "a\\\"\\\\\\n\\u0001");
}

namespace {

reply run(const registry& r, words w, bool authenticated = true, std::string_view error = {}) {
    command_line line;
    line.words = std::move(w);
    line.error = error;
    reply out;
    r.run(line, authenticated, out);
    return out;
}

registry sample() {
    registry r;
    r.add(
        "ping", [](const words&, reply& out) { answer_ping(7.9, out); },
        [](const words& w, reply& out) { answer_ping_json(w, 7.9, out); });
    r.add("status", [](const words&, reply& out) { out.out("Child in state running"); });
    r.add("vcl.load", [](const words&, reply&) {});
    return r;
}

} // namespace

TEST_CASE("the registry checks name, form and number of arguments") {
    const registry r = sample();
    CHECK(run(r, {"ping"}).text() == "PONG 7 1.0");
    CHECK(run(r, {"ping", "-j"}).text() == "[ 2, [\"ping\", \"-j\"], 7.900, \"PONG\"\n\n]\n");
    CHECK(run(r, {"status", "-j"}).code() == status::unimplemented);
    CHECK(run(r, {"vcl.load", "a"}).code() == status::too_few);
    CHECK(run(r, {"vcl.load", "a", "b", "c", "d"}).code() == status::too_many);
    CHECK(run(r, {"nothing"}).text() == "Unknown request.\nType 'help' for more info.\n");
    CHECK(run(r, {"Ping"}).text() == "Unknown request.\nType 'help' for more info.\nall commands are in lower-case.\n");
    const reply bad = run(r, {}, true, "Missing '\"'");
    CHECK(bad.code() == status::syntax);
    CHECK(bad.text() == "Unknown request.\nType 'help' for more info.\nSyntax Error: Missing '\"'\n");
    CHECK(run(r, {}).code() == status::syntax);
}

TEST_CASE("without authentication only the open commands are known") {
    const registry r = sample();
    CHECK(run(r, {"ping"}, false).ok());
    CHECK(run(r, {"status"}, false).code() == status::unknown);
}

TEST_CASE("help lists by name and explains one") {
    const registry r = sample();
    reply all;
    r.help({"help"}, true, all);
    CHECK(all.text() == "ping [-j] [<timestamp>]\nstatus [-j]\nvcl.load <configname> <filename> [auto|cold|warm]\n");
    reply open;
    r.help({"help"}, false, open);
    CHECK(open.text() == "ping [-j] [<timestamp>]\n");
    reply one;
    r.help({"help", "status"}, true, one);
    CHECK(one.text() == "status [-j]\nShow the state of the worker process.\n");
    reply none;
    r.help({"help", "foo"}, true, none);
    CHECK(none.code() == status::unknown);
}

TEST_CASE("boot texts and VCL bundles survive the way") {
    worker_boot boot;
    boot.workdir = "/var/lib/varnish/x\n:3";
    boot.cli_fd = 5;
    boot.log_ring_size = 80ULL << 20;
    boot.wide_log = true;
    boot.drop_privileges = true;
    boot.sockets.push_back({"a0", "127.0.0.1:80", "127.0.0.1", "80", false, true, {3, 4}});
    boot.storages.push_back({"s0", "file", 1 << 20, "/x", 4096, "random", 9});
    const auto back = parse_worker_boot(to_text(boot));
    REQUIRE(back);
    CHECK(back->workdir == boot.workdir);
    CHECK(back->cli_fd == 5);
    CHECK((back->drop_privileges && back->wide_log));
    CHECK(back->sockets.at(0).fds == std::vector<int>{3, 4});
    CHECK(back->sockets.at(0).proxy);
    CHECK(back->storages.at(0).advice == "random");
    CHECK_FALSE(parse_worker_boot("3:abc\n"));
    CHECK_FALSE(parse_worker_boot(to_text(boot) + "x"));

    vcl_bundle bundle;
    bundle.name = "boot";
    bundle.sources.push_back({"<vcl.inline>", "vcl.inline", "vcl 4.1;\n"});
    const auto again = parse_vcl_bundle(to_text(bundle));
    REQUIRE(again);
    CHECK(again->sources.at(0).text == "vcl 4.1;\n");
    CHECK(again->err_unref);
}
