#include "backend/probe_state.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using backend::probe_state;

namespace {

vcl::probe_spec spec(std::uint32_t window, std::uint32_t threshold, std::optional<std::uint32_t> initial) {
    vcl::probe_spec made;
    made.window = window;
    made.threshold = threshold;
    made.initial = initial;
    return made;
}

backend::poke_result good(base::seconds took) {
    backend::poke_result made;
    made.bits.good_ipv4 = made.bits.good_xmit = made.bits.good_recv = made.bits.happy = true;
    made.took = took;
    made.response = "HTTP/1.1 200 OK";
    return made;
}

backend::poke_result refused() {
    backend::poke_result made;
    made.response = "Open error 111 (Connection refused)";
    return made;
}

} // namespace

TEST_CASE("The initial pokes count as happy ones, one below the threshold by default") {
    CHECK(probe_state(spec(8, 3, std::nullopt)).happy_bits() == 3);
    CHECK(!probe_state(spec(8, 3, std::nullopt)).healthy());
    CHECK(probe_state(spec(5, 2, 2)).healthy());
    CHECK(probe_state(spec(5, 2, 9)).happy_bits() == 3); // never above the threshold
    CHECK(probe_state(spec(5, 2, 0)).happy_bits() == 0);
}

TEST_CASE("Health follows the window") {
    probe_state s(spec(3, 2, 0));
    s.record(good(1));
    CHECK(!s.healthy());
    s.record(good(1));
    CHECK(s.healthy());
    s.record(refused());
    CHECK(s.healthy());
    s.record(refused());
    CHECK(!s.healthy());
    CHECK(s.happy_bits() == 0b1100);
    s.reset();
    CHECK(s.happy_bits() == 0);
}

TEST_CASE("The log record") {
    probe_state s(spec(5, 2, 1));
    CHECK(s.log_line("b", true) == "b Went sick -------H 1 2 5 0.000000 0.000000 \"\"");
    s.record(good(0.5));
    CHECK(s.log_line("b", false) == "b Still healthy 4---X-RH 2 2 5 0.500000 0.250000 \"HTTP/1.1 200 OK\"");
    s.record(refused());
    CHECK(s.log_line("b", false) ==
          "b Still healthy -------- 2 2 5 0.000000 0.250000 \"Open error 111 (Connection refused)\"");
}

TEST_CASE("The average leans on the last four good pokes") {
    probe_state s(spec(8, 3, 0));
    for (int i = 0; i < 20; ++i) {
        s.record(good(1));
    }
    s.record(good(5));
    CHECK(s.details().find("good probes: 2.000000") != std::string::npos);
}

TEST_CASE("Rows, details and JSON") {
    probe_state s(spec(5, 2, 2));
    CHECK(s.row(false) == "2/5\thealthy");
    CHECK(s.json_row(true) == "[2, 5, \"sick\"]");
    s.record(refused());
    s.record(good(0.1));
    CHECK(s.details() == "\n Current states  good:  3 threshold:  2 window:  5\n"
                         "  Average response time of good probes: 0.033333\n"
                         "  Oldest ================================================== Newest\n"
                         "  ---------------------------------------------------------------4 Good IPv4\n"
                         "  ---------------------------------------------------------------X Good Xmit\n"
                         "  ---------------------------------------------------------------R Good Recv\n"
                         "  ------------------------------------------------------------HH-H Happy\n");
    CHECK(s.json_details() == "{\n  \"bits_4\": 1,\n  \"bits_6\": 0,\n  \"bits_U\": 0,\n  \"bits_x\": 0,\n"
                              "  \"bits_X\": 1,\n  \"bits_r\": 0,\n  \"bits_R\": 1,\n  \"bits_H\": 13,\n"
                              "  \"good\": 3,\n  \"threshold\": 2,\n  \"window\": 5\n},\n");
}

TEST_CASE("Which first lines make a probe happy") {
    CHECK(backend::response_matches("HTTP/1.1 200 OK", 200));
    CHECK(backend::response_matches("HTTP/1.0   200 ", 200));
    CHECK(!backend::response_matches("HTTP/1.1 404 Not found", 200));
    CHECK(backend::response_matches("HTTP/1.1 404 Not found", 404));
    CHECK(!backend::response_matches("HTTP/1.1", 200));
    CHECK(!backend::response_matches("HTTP/ 200", 200));
    CHECK(!backend::response_matches("http/1.1 200 OK", 200));
    CHECK(!backend::response_matches("", 200));
}
