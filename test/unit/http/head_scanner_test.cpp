#include "http/h1/dissect.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace clearcoat::http::h1;

TEST_CASE("the end of a head is found at once") {
    struct row {
        std::string text;
        scan_state state;
        std::size_t size;
    };
    const row table[] = {
        {"", scan_state::empty, 0},
        {"\r\n \t\n", scan_state::empty, 0},
        {"GET", scan_state::more, 0},
        {"GET / HTTP/1.1\r\n", scan_state::more, 0},
        {"GET / HTTP/1.1\r\n\r\n", scan_state::complete, 18},
        {"GET / HTTP/1.1\n\n", scan_state::complete, 16},
        {"GET / HTTP/1.1\r\n\nrest", scan_state::complete, 17},
        {"GET / HTTP/1.1\n\r\nrest", scan_state::complete, 17},
        {"\r\n\r\nGET / HTTP/1.1\r\n\r\n", scan_state::complete, 22},
        {"GET / HTTP/1.1\r\nA: b\r\n\r\nGET ", scan_state::complete, 24},
        {"GET / HTTP/1.1\n\r\r\n", scan_state::more, 0},
        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", scan_state::h2_preface, 24},
        {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nmore", scan_state::h2_preface, 24},
        {"PRI * HTTP/2.0\r\n\r\n", scan_state::more, 0},
        {"PRI * HTTP/2.1\r\n\r\n", scan_state::complete, 18},
        {"P", scan_state::more, 0},
        {"PUT / HTTP/1.1\r\n\r\n", scan_state::complete, 18},
    };
    for (const row& r : table) {
        CAPTURE(r.text);
        head_scanner scanner;
        CHECK(scanner.scan(r.text) == r.state);
        CHECK((r.state == scan_state::complete || r.state == scan_state::h2_preface ? scanner.size() : 0) == r.size);
    }
}

TEST_CASE("a head that comes in pieces of any size is found") {
    for (const std::string text :
         {"\r\nGET / HTTP/1.1\r\nA: b\r\n\r\n", "GET / HTTP/1.1\nA: b\n\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"}) {
        for (std::size_t piece = 1; piece < text.size(); ++piece) {
            CAPTURE(text, piece);
            head_scanner scanner;
            for (std::size_t size = piece; size < text.size(); size += piece) {
                scan_state state = scanner.scan(std::string_view(text).substr(0, size));
                CHECK((state == scan_state::more || state == scan_state::empty));
            }
            CHECK(scanner.scan(text) != scan_state::more);
            CHECK(scanner.size() == text.size());
        }
    }
}
