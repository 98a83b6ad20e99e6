#include "base/text_pieces.hpp"

#include <string>

#include <catch2/catch.hpp>

using namespace clearcoat;

namespace {

template<class... Parts>
std::string joined(const Parts&... parts) {
    std::string room(base::most_joined(parts...), '?');
    room.resize(static_cast<std::size_t>(base::join(room.data(), parts...) - room.data()));
    return room;
}

} // namespace

TEST_CASE("six digits stand behind the point, rounded to the nearest", "[base]") {
    CHECK(joined(base::fixed6(0)) == "0.000000");
    CHECK(joined(base::fixed6(1700000000.123456)) == "1700000000.123456");
    CHECK(joined(base::fixed6(0.0000019)) == "0.000002");
    CHECK(joined(base::fixed6(10)) == "10.000000");
    CHECK(joined(base::fixed6(-0.0001)) == "-0.000100");
    CHECK(joined(base::fixed6(99.999999)) == "99.999999");
    CHECK(joined(base::fixed6(0.9999999)) == "1.000000");
    CHECK(joined(base::fixed6(999999999)) == "999999999.000000");
    CHECK(joined(base::fixed6(1000000000)) == "1000000000.000000");
    CHECK(joined(base::fixed6(3999999999.5)) == "3999999999.500000");
    CHECK(joined(base::fixed6(4000000000)) == "4000000000.000000");
    CHECK(joined(base::fixed6(1e300)) == "1000000000000000000.000000");
    CHECK(joined(base::fixed6(-1e300)).size() <= base::most_joined(base::fixed6(0)));
}

TEST_CASE("strings, characters and numbers are joined as they are", "[base]") {
    CHECK(joined("req ", std::uint64_t{18446744073709551615ULL}, ' ', "rxreq") == "req 18446744073709551615 rxreq");
    CHECK(joined(-5, '|', 7u, std::string("|x")) == "-5|7|x");
    CHECK(joined(std::string_view()) == "");
}
