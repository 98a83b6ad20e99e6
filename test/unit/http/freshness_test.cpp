#include "http/freshness.hpp"

#include "unit/http/message.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace clearcoat::http;
using test::response;

namespace {

constexpr double noon = 784123200; // Sun, 06 Nov 1994 12:00:00 GMT
constexpr freshness_defaults defaults{120, 10, 5, 10};

freshness compute(std::string_view status, std::string_view fields, bool is_private = false) {
    response m("HTTP/1.1 " + std::string(status) + " X\r\n" + std::string(fields) + "\r\n");
    REQUIRE(m.outcome.ok());
    return compute_freshness(m.head, noon, defaults, is_private);
}

} // namespace

TEST_CASE("lifetimes") {
    struct row {
        const char* status;
        std::string fields;
        double ttl, grace;
    };
    const row table[] = {
        {"200", "", 120, 10},
        {"404", "", 120, 10},
        {"302", "", -1, 10},
        {"307", "", -1, 10},
        {"500", "", -1, 10},
        {"206", "Cache-Control: max-age=50\r\n", -1, 10},
        {"302", "Cache-Control: max-age=50\r\n", 50, 10},
        {"200", "Cache-Control: max-age=50\r\n", 50, 10},
        {"200", "Cache-Control: max-age=0\r\n", 0, 10},
        {"200", "Cache-Control: public, max-age=50, s-maxage=60\r\n", 60, 10},
        {"200", "Cache-Control: s-maxage, max-age=50\r\n", 120, 10},
        {"200", "Cache-Control: max-age\r\n", 120, 10},
        {"200", "Cache-Control: max-age=-5\r\n", 0, 10},
        {"200", "Cache-Control: max-age=junk\r\n", 0, 10},
        {"200", "Cache-Control: max-age = 7.9\r\n", 7, 10},
        {"200", "Cache-Control: max-age=99999999999\r\n", 4294967295.0, 10},
        {"200", "Cache-Control: MAX-AGE=5\r\n", 5, 10},
        {"200", "Cache-Control: max-age=5, stale-while-revalidate=30\r\n", 5, 30},
        {"500", "Cache-Control: stale-while-revalidate=30\r\n", -1, 10},
        {"200", "Cache-Control: stale-while-revalidate\r\n", 120, 10},
        {"200", "Expires: Sun, 06 Nov 1994 12:01:00 GMT\r\n", 60, 10},
        {"200", "Expires: Sun, 06 Nov 1994 11:59:00 GMT\r\n", 0, 10},
        {"200", "Expires: 0\r\n", 120, 10},
        {"200", "Date: Sun, 06 Nov 1994 12:00:00 GMT\r\nExpires: Sun, 06 Nov 1994 12:01:00 GMT\r\n", 60, 10},
        {"200", "Date: Sun, 06 Nov 1994 12:00:05 GMT\r\nExpires: Sun, 06 Nov 1994 12:01:00 GMT\r\n", 60, 10},
        {"200", "Date: Sun, 06 Nov 1994 10:00:00 GMT\r\nExpires: Sun, 06 Nov 1994 10:01:30 GMT\r\n", 90, 10},
        {"200", "Date: Sun, 06 Nov 1994 12:00:00 GMT\r\nExpires: Sun, 06 Nov 1994 11:00:00 GMT\r\n", 0, 10},
        {"200", "Expires: Sun, 06 Nov 1994 12:01:00 GMT\r\nCache-Control: max-age=5\r\n", 5, 10},
    };
    for (const row& r : table) {
        CAPTURE(r.status, r.fields);
        freshness f = compute(r.status, r.fields);
        CHECK(f.ttl == r.ttl);
        CHECK(f.grace == r.grace);
        CHECK(f.keep == 5);
        CHECK(f.origin == noon);
    }
}

TEST_CASE("Age moves the origin back") {
    CHECK(compute("200", "Age: 30\r\n").origin == noon - 30);
    CHECK(compute("200", "Age: junk\r\n").origin == noon);
    freshness pass = compute("200", "Age: 30\r\nCache-Control: max-age=50\r\n", true);
    CHECK(pass.origin == noon - 30);
    CHECK(pass.ttl == -1);
    CHECK(pass.grace == 0);
    CHECK(pass.keep == 0);
    CHECK(pass.is_private);
}

TEST_CASE("the TTL record") {
    char room[160];
    CHECK(compute("200", "Age: 3\r\nCache-Control: max-age=50\r\nDate: Sun, 06 Nov 1994 12:00:00 GMT\r\n")
              .write_record(true, room) == "RFC 50 10 5 784123200 784123197 784123200 0 50 cacheable");
    CHECK(compute("500", "").write_record(false, room) == "RFC -1 10 5 784123200 784123200 0 0 0 uncacheable");
}
