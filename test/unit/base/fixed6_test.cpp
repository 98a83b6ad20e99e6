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
