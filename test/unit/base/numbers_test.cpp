#include "base/numbers.hpp"
#include "base/testable_random.hpp"

#include <limits>
#include <string>

#include <catch2/catch.hpp>

using namespace clearcoat;

TEST_CASE("lenient numbers") {
    CHECK(base::parse_number("12") == 12);
    CHECK(base::parse_number(" -12.5 ") == -12.5);
    CHECK(base::parse_number(".5") == .5);
    CHECK(base::parse_number("5.") == 5);
    CHECK(base::parse_number("1.23456") == Approx(1.234));
    CHECK(base::parse_number("123456789012345") == 123456789012345.);
    for (const char* text : {"", "-", ".", "x", "1x", "1e3", "1234567890123456", "--1", "+1"}) {
        INFO(text);
        CHECK_FALSE(base::parse_number(text));
    }
}

TEST_CASE("strict numbers") {
    CHECK(base::scan_number("1.234", true).error == nullptr);
    CHECK(std::string(base::scan_number(".5", true).error) == "Invalid number");
    CHECK(std::string(base::scan_number("5.", true).error) == "Invalid number");
    CHECK(std::string(base::scan_number("1.2345", true).error) == "Too many digits");
    CHECK(base::scan_number("17k", true).size == 2);
}

TEST_CASE("durations need a unit") {
    CHECK(base::parse_duration("1.5 h") == 5400);
    CHECK(base::parse_duration("10ms") == Approx(.01));
    CHECK(base::parse_duration("-2w") == -1209600);
    CHECK(base::parse_duration("1y") == 31536000);
    for (const char* text : {"", "10", "10 x", "s", "10 s s", "10 sec"}) {
        INFO(text);
        CHECK_FALSE(base::parse_duration(text));
    }
}

TEST_CASE("byte counts") {
    CHECK(base::parse_bytes("100").value == 100);
    CHECK(base::parse_bytes("1.5k").value == 1536);
    CHECK(base::parse_bytes("2 MB").value == 2097152);
    CHECK(base::parse_bytes("3b").value == 3);
    CHECK(base::parse_bytes("99999999P").value == std::numeric_limits<std::uint64_t>::max());
    CHECK(std::string(base::parse_bytes("1.5").error) == "Fractional BYTES not allowed");
    CHECK(std::string(base::parse_bytes("-1k").error) == "Invalid number");
    for (const char* text : {"1x", "1kk", "1kbb", "1 k b"}) {
        INFO(text);
        CHECK(base::parse_bytes(text).error != nullptr);
    }
}

TEST_CASE("a seed gives the numbers that the reference gives for it") {
    base::seed_testable_random(1);
    CHECK(base::testable_random_real() * 1000 == Approx(656.113).margin(.0006));
    CHECK(base::testable_random_real() * 1000 == Approx(39.045).margin(.0006));
    for (int i = 0; i < 1000; ++i) {
        const double x = base::testable_random_real();
        CHECK((x >= 0 && x < 1));
    }
}
