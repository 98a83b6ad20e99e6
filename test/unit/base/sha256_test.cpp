#include "base/sha256.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat::base;

TEST_CASE("sha256 gives the published digest of abc, whole and in parts") {
    const std::string expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    sha256 whole;
    whole.update("abc");
    CHECK(to_hex(whole.finish()) == expected);
    sha256 parts;
    parts.update("a");
    parts.update("");
    parts.update("bc");
    CHECK(to_hex(parts.finish()) == expected);
}
