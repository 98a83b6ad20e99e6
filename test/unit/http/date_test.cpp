#include "http/date.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace clearcoat::http;

TEST_CASE("dates are read in all their forms") {
    struct row {
        const char* text;
        double when;
    };
    const row table[] = {
        {"Sun, 06 Nov 1994 08:49:37 GMT", 784111777},
        {"Sunday, 06-Nov-94 08:49:37 GMT", 784111777},
        {"Sun Nov  6 08:49:37 1994", 784111777},
        {"1994-11-06T08:49:37", 784111777},
        {"  Sun, 06 Nov 1994 08:49:37 GMT  ", 784111777},
        {"Sun Nov 06 08:49:37 1994", 784111777},
        {"Wed Nov 16 08:49:37 1994", 784975777},
        {"Sat, 01 Jan 2000 00:00:00 GMT", 946684800},
        {"Tue, 29 Feb 2000 12:00:00 GMT", 951825600},
        {"Mon, 29 Feb 2016 00:00:00 GMT", 1456704000},
        {"Fri, 30 Jun 1972 23:59:60 GMT", 78796799},
        {"Friday, 01-Jan-68 00:00:00 GMT", 0},
        {"Sunday, 01-Jan-68 00:00:00 GMT", 3092601600},
        {"Wednesday, 01-Jan-69 00:00:00 GMT", -31536000},
        {"Thu, 01 Jan 1970 00:00:01 GMT", 1},
        {"Wed, 31 Dec 1969 23:59:59 GMT", -1},
        {"Fri, 31 Dec 9999 23:59:59 GMT", 253402300799},
    };
    for (const row& r : table) {
        CAPTURE(r.text);
        CHECK(parse_date(r.text) == r.when);
    }
}

TEST_CASE("what is no date") {
    for (const char* text : {"",
                             " ",
                             "0",
                             "-1",
                             "now",
                             "Sun",
                             "Mon, 06 Nov 1994 08:49:37 GMT",
                             "Sun, 06 Nov 1994 08:49:37",
                             "Sun, 06 Nov 1994 08:49:37 CET",
                             "Sun, 06 Nov 1994 08:49:37 GMT x",
                             "Sun, 6 Nov 1994 08:49:37 GMT",
                             "Sun, 06 Nov 1994 24:49:37 GMT",
                             "Sun, 06 Nov 1994 08:60:37 GMT",
                             "Sun, 06 Nov 1994 08:49:61 GMT",
                             "Tue, 29 Feb 2001 00:00:00 GMT",
                             "Tue, 31 Apr 2001 00:00:00 GMT",
                             "Sun, 06 Foo 1994 08:49:37 GMT",
                             "Sun, 00 Nov 1994 08:49:37 GMT",
                             "1994-11-06 08:49:37",
                             "1994-13-06T08:49:37",
                             "0000-01-01T00:00:00",
                             "Monday, 06-Nov-94 08:49:37 GMT",
                             "Sundax, 06-Nov-94 08:49:37 GMT",
                             "sun, 06 nov 1994 08:49:37 gmt"}) {
        CAPTURE(text);
        CHECK(parse_date(text) == 0);
    }
}

TEST_CASE("dates are written") {
    char room[date_size];
    CHECK(format_date(784111777.9, room) == "Sun, 06 Nov 1994 08:49:37 GMT");
    CHECK(format_date(0, room) == "Thu, 01 Jan 1970 00:00:00 GMT");
    CHECK(format_date(-1, room) == "Wed, 31 Dec 1969 23:59:59 GMT");
    CHECK(format_date(253402300800.0, room).empty());
    CHECK(format_date(-1e18, room).empty());
    CHECK(format_date(1.0 / 0.0, room).empty());
}

TEST_CASE("every written date is read back") {
    char room[date_size];
    for (double when = -2.2e9; when < 5e9; when += 12345678.0 + 86399) {
        std::string text(format_date(when, room));
        CAPTURE(text);
        CHECK(parse_date(text) == static_cast<double>(static_cast<long long>(when)));
    }
}
