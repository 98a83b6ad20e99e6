#include "base/fixed6.hpp"

#include <catch2/catch.hpp>

using clearcoat::base::fixed6;

TEST_CASE("six digits stand behind the point", "[base]") {
    CHECK(fixed6(0).view() == "0.000000");
    CHECK(fixed6(1700000000.123456).view() == "1700000000.123456");
    CHECK(fixed6(0.0000019).view() == "0.000001");
    CHECK(fixed6(10).view() == "10.000000");
    CHECK(fixed6(-0.0001).view() == "-0.000100");
    CHECK(fixed6(99.999999).view() == "99.999999");
}

TEST_CASE("a timestamp's text has the event and three times", "[base]") {
    CHECK(clearcoat::base::timestamp_text("Start", 1700000000.5, 0, 0.25).view() ==
          "Start: 1700000000.500000 0.000000 0.250000");
    CHECK(clearcoat::base::timestamp_text(std::string(1000, 'x'), 1, 0, 0).view().size() < 512);
}
