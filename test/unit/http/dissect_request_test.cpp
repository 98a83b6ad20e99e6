#include "unit/http/message.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using http::h1::fault;
using test::recorder;
using test::request;
using lines = std::vector<std::string>;

namespace {

struct accepted_row {
    const char* what;
    std::string text;
    std::string method, url;
    lines fields;
};

struct refused_row {
    const char* what;
    std::string text;
    fault why;
    std::string record; // BogoHeader
};

} // namespace

TEST_CASE("requests that are accepted") {
    const accepted_row table[] = {
        {"plain", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/", {"Host: a"}},
        {"bare LF", "GET / HTTP/1.1\nHost: a\nB: c\n\n", "GET", "/", {"Host: a", "B: c"}},
        {"mixed line ends", "GET / HTTP/1.1\r\nHost: a\nB: c\r\n\n", "GET", "/", {"Host: a", "B: c"}},
        {"no fields", "GET / HTTP/1.1\r\n\r\n", "GET", "/", {}},
        {"HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", "GET", "/", {}},
        {"lower case version", "GET / http/1.1\r\n\r\n", "GET", "/", {}},
        {"leading blank lines", "\r\n\n  \t\r\nGET / HTTP/1.1\r\n\r\n", "GET", "/", {}},
        {"several blanks", "GET    /    HTTP/1.1\r\n\r\n", "GET", "/", {}},
        {"tab as the first blank", "GET\t/ HTTP/1.1\r\n\r\n", "GET", "/", {}},
        {"any method", "GeT{} /?a=b#c HTTP/1.1\r\n\r\n", "GeT{}", "/?a=b#c", {}},
        {"high bytes", "GET /\xc3\xa4 HTTP/1.1\r\nA: \xff\x80\r\n\r\n", "GET", "/\xc3\xa4", {"A: \xff\x80"}},
        {"blanks around values",
         "GET / HTTP/1.1\r\nA:b\r\nC: \t d \t\r\nE:\r\n\r\n",
         "GET",
         "/",
         {"A:b", "C: \t d", "E:"}},
        {"folds", "GET / HTTP/1.1\r\nA: b\r\n\t c\n d\r\nE: f\r\n\r\n", "GET", "/", {"A: b    c  d", "E: f"}},
        {"fold after an empty value", "GET / HTTP/1.1\r\nA:\r\n b\r\n\r\n", "GET", "/", {"A:   b"}},
        {"fold into nothing", "GET / HTTP/1.1\r\nA: b\r\n \r\n\r\n", "GET", "/", {"A: b"}},
        {"repeated names", "GET / HTTP/1.1\r\nA: 1\r\nA: 2\r\n\r\n", "GET", "/", {"A: 1", "A: 2"}},
        {"token characters", "GET / HTTP/1.1\r\n!#$%&'*+-.^_`|~0aZ: 1\r\n\r\n", "GET", "/", {"!#$%&'*+-.^_`|~0aZ: 1"}},
        {"colons in the value", "GET / HTTP/1.1\r\nHost: a:80:b\r\n\r\n", "GET", "/", {"Host: a:80:b"}},
    };
    for (const accepted_row& row : table) {
        CAPTURE(row.what);
        request r(row.text);
        CHECK(r.outcome.why == fault::none);
        CHECK(r.outcome.size == row.text.size());
        CHECK(r.head.method() == row.method);
        CHECK(r.head.url() == row.url);
        CHECK(r.lines() == row.fields);
    }
}

TEST_CASE("requests that are refused") {
    const std::string start = "GET / HTTP/1.1\r\n";
    const refused_row table[] = {
        {"HTTP/0.9", "GET /\r\n\r\n", fault::bad_protocol, ""},
        {"no URL", "GET\r\n\r\n", fault::bad_start_line, ""},
        {"no URL but a blank", "GET \r\n\r\n", fault::bad_start_line, ""},
        {"HTTP/2.0", "GET / HTTP/2.0\r\n\r\n", fault::bad_protocol, ""},
        {"HTTP/1.2", "GET / HTTP/1.2\r\n\r\n", fault::bad_protocol, ""},
        {"HTTP/0.9 by name", "GET / HTTP/0.9\r\n\r\n", fault::bad_protocol, ""},
        {"no version", "GET / FOO\r\n\r\n", fault::bad_protocol, ""},
        {"blank after the version", "GET / HTTP/1.1 \r\n\r\n", fault::bad_protocol, ""},
        {"four words", "GET /a b HTTP/1.1\r\n\r\n", fault::bad_protocol, ""},
        {"tab before the URL", "GET \t/ HTTP/1.1\r\n\r\n", fault::bad_start_line, ""},
        {"tab before the version", "GET /\tHTTP/1.1\r\n\r\n", fault::bad_start_line, ""},
        {"control in the method", "G\x01T / HTTP/1.1\r\n\r\n", fault::bad_start_line, ""},
        {"control in the URL", "GET /\x7f HTTP/1.1\r\n\r\n", fault::bad_start_line, ""},
        {"control in the version", "GET / HTTP/1\x02.1\r\n\r\n", fault::bad_start_line, ""},
        {"CR in the version", "GET / HTTP/1.1\rX\r\n\r\n", fault::bad_start_line, ""},
        {"control in a value", start + "A: b\x01z\r\n\r\n", fault::control_character, "Header has ctrl char 0x01"},
        {"DEL in a value", start + "A: b\x7fz\r\n\r\n", fault::control_character, "Header has ctrl char 0x7f"},
        {"bare CR in a value", start + "A: b\rc\r\n\r\n", fault::control_character, "Header has ctrl char 0x0d"},
        {"CR CR LF", start + "A: b\r\r\n\r\n", fault::control_character, "Header has ctrl char 0x0d"},
        {"no colon", start + "Foobar\r\n\r\n", fault::no_colon, "Header without ':' Foobar"},
        {"known name without colon", start + "Host\r\n\r\n", fault::no_colon, "Header without ':' Host"},
        {"blank in the name", start + "Foo : bar\r\n\r\n", fault::bad_name_character,
         "Illegal char 0x20 in header name"},
        {"bracket in the name", start + "Foo(bar): 1\r\n\r\n", fault::bad_name_character,
         "Illegal char 0x28 in header name"},
        {"high byte in the name", start + "F\xc3\xa4: 1\r\n\r\n", fault::bad_name_character,
         "Illegal char 0xc3 in header name"},
        {"leading blank", start + " Foo: bar\r\n\r\n", fault::leading_blank, "1st header has white space:  Foo: bar"},
        {"empty name", start + ": a value that is quite long\r\n\r\n", fault::empty_name,
         "Missing header name: : a value that is qu"},
    };
    for (const refused_row& row : table) {
        CAPTURE(row.what);
        request r(row.text);
        CHECK(r.outcome.why == row.why);
        char room[80];
        CHECK(r.outcome.write_record(room) == row.record);
    }
}

TEST_CASE("limits of lines and of their number") {
    const std::string text = "GET / HTTP/1.1\r\nA: 234567\r\nB: 2345678\r\n\r\n";
    CHECK(request(text, 10).outcome.ok());
    request long_line(text, 9);
    CHECK(long_line.outcome.why == fault::line_too_long);
    char room[80];
    CHECK(long_line.outcome.write_record(room) == "Header too long: B: 2345678");
    CHECK(request(text, 100, 7).outcome.ok());
    request many(text, 100, 6);
    CHECK(many.outcome.why == fault::too_many_fields);
    CHECK(many.outcome.write_record(room) == "Too many headers: B: 2345678");
    request folded("GET / HTTP/1.1\r\nA: 1\r\n 2345678\r\n\r\n", 10);
    CHECK(folded.outcome.why == fault::line_too_long);
}

TEST_CASE("the head ends where the body begins") {
    request r("POST / HTTP/1.1\r\nA: b\r\n\r\nbody: not a field\r\n\r\n");
    CHECK(r.outcome.size == 25);
    CHECK(r.lines() == lines{"A: b"});
}

TEST_CASE("a request cut off never reads on") {
    const std::string text = "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n";
    for (std::size_t size = 0; size < text.size(); ++size) {
        CAPTURE(size);
        CHECK_FALSE(request(text.substr(0, size)).outcome.ok());
    }
}

TEST_CASE("an absolute URL gives the host") {
    struct row {
        std::string url;
        bool https;
        std::string left;
        lines fields;
    };
    const row table[] = {
        {"http://example.com/a?b", false, "/a?b", {"A: 1", "Host: example.com"}},
        {"HTTP://user@example.com:80/", false, "/", {"A: 1", "Host: user@example.com:80"}},
        {"http://example.com", false, "http://example.com", {"Host: old", "A: 1"}},
        {"https://example.com/", false, "https://example.com/", {"Host: old", "A: 1"}},
        {"https://example.com/x", true, "/x", {"A: 1", "Host: example.com"}},
        {"/http://a/b", false, "/http://a/b", {"Host: old", "A: 1"}},
    };
    for (const row& t : table) {
        CAPTURE(t.url);
        request r("GET " + t.url + " HTTP/1.1\r\nHost: old\r\nA: 1\r\n\r\n");
        recorder heard;
        r.head.set_listener(&heard);
        CHECK(http::h1::host_from_url(r.head, t.https));
        CHECK(r.head.url() == t.left);
        CHECK(r.lines() == t.fields);
        CHECK(heard.heard.size() == (t.left == t.url ? 0u : 2u));
    }
}
