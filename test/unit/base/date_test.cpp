#include "base/date.hpp"

#include <array>
#include <string>

#include <catch2/catch.hpp>

using namespace clearcoat;

namespace {
std::string formatted(base::seconds when) {
    std::array<char, base::date_size> room;
    return std::string(base::format_date(when, room));
}
} // namespace

TEST_CASE("every form of a date gives the same second") {
    for (const char* text : {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
                             "Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37", "  1994-11-06T08:49:37  "}) {
        INFO(text);
        CHECK(base::parse_date(text) == 784111777);
    }
}

TEST_CASE("what is no date gives 0") {
    for (const char* text :
         {"", " ", "Sun", "Mon, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 24:49:37 GMT",
          "Sun, 31 Nov 1994 08:49:37 GMT", "1994-11-06", "1994-11-06T08:49:37x", "1898-11-06T08:49:37",
          "Sunday, 06-Nov-9 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC", "784111777"}) {
        INFO(text);
        CHECK(base::parse_date(text) == 0);
    }
}

TEST_CASE("leap days and leap seconds") {
    CHECK(base::parse_date("2000-02-29T00:00:00") == 951782400);
    CHECK(base::parse_date("1900-02-29T00:00:00") == 0);
    CHECK(base::parse_date("1990-12-31T23:59:60") == base::parse_date("1990-12-31T23:59:59"));
}

TEST_CASE("the preferred form is written") {
    CHECK(formatted(784111777.9) == "Sun, 06 Nov 1994 08:49:37 GMT");
    CHECK(formatted(21) == "Thu, 01 Jan 1970 00:00:21 GMT");
    CHECK(formatted(-1) == "Wed, 31 Dec 1969 23:59:59 GMT");
    CHECK(formatted(1e15).empty());
    for (base::seconds when = -2e9; when < 2e10; when += 123456789) {
        CHECK(base::parse_date(formatted(when)) == when);
    }
}
