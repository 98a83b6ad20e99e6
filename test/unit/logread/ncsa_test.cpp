#include "logread/ncsa_line.hpp"
#include "unit/logread/log_words.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>

#include <time.h>

using namespace clearcoat;

namespace {

const std::string request = "2 Begin c req 1 rxreq\n"
                            "2 Timestamp c Start: 1700000000.123456 0.000000 0.000000\n"
                            "2 ReqStart c 192.0.2.7 1234 a0\n"
                            "2 ReqMethod c GET\n"
                            "2 ReqURL c /a?b=c&d\n"
                            "2 ReqProtocol c HTTP/1.1\n"
                            "2 ReqHeader c Host: example.com\n"
                            "2 ReqHeader c User-Agent: say \"hi\" \\ \xc3\xbc\n"
                            "2 ReqHeader c Authorization: Basic dXNlcjpzZWNyZXQ=\n"
                            "2 ReqHeader c X-Twice: one\n"
                            "2 ReqHeader c x-twice:   two  \n"
                            "2 VCL_call c RECV\n"
                            "2 VCL_Log c shop: books\n"
                            "2 VCL_Log c shop: shoes\n"
                            "2 VCL_call c HIT\n"
                            "2 Hit c 5 1.0 2.0 3.0\n"
                            "2 Timestamp c Process: 1700000000.2 0.076544 0.076544\n"
                            "2 RespStatus c 200\n"
                            "2 RespHeader c Age: 7\n"
                            "2 Timestamp c Resp: 1700000002.5 2.376544 2.3\n"
                            "2 ReqAcct c 1 2 3 4 5 6\n"
                            "2 End c\n";
const std::string fetch = "3 Begin b bereq 2 fetch\n"
                          "3 BereqMethod b GET\n"
                          "3 BereqURL b /x\n"
                          "3 BackendOpen b 20 default 192.0.2.9 80 192.0.2.1 999 connect\n"
                          "3 Timestamp b Start: 1700000000.5 0.0 0.0\n"
                          "3 Timestamp b Beresp: 1700000000.75 0.25 0.25\n"
                          "3 BerespStatus b 503\n"
                          "3 BereqAcct b 10 20 30 40 50 60\n"
                          "3 End b\n";

std::string line(const std::string& format, const std::string& lines = request, bool json = false) {
    setenv("TZ", "UTC", 1);
    tzset();
    std::string error;
    auto made = logread::ncsa_format::parse(format, json, error);
    if (!made) {
        return error;
    }
    logread::ncsa_printer printer(std::move(*made));
    const auto words = test::log_words(lines);
    const bool backend = logread::record(words.data()).backend();
    const logread::transaction t{1,  backend ? 3U : 2U,
                                 0,  backend ? logread::transaction_type::bereq : logread::transaction_type::req,
                                 {}, logread::record_range(words)};
    std::string out;
    printer.print(t, out);
    return out;
}

} // namespace

TEST_CASE("the usual line is the one of web servers", "[ncsa]") {
    CHECK(line(logread::ncsa_format::usual) ==
          "192.0.2.7 - user [14/Nov/2023:22:13:20 +0000] \"GET http://example.com/a?b=c&d HTTP/1.1\" 200 5 \"-\" "
          "\"say \\\"hi\\\" \\\\ \\xc3\\xbc\"\n");
}

TEST_CASE("each formatter has its source", "[ncsa]") {
    CHECK(line("%b %H %h %I %l %m %O %q %s %U %u") == "5 HTTP/1.1 192.0.2.7 3 - GET 6 ?b=c&d 200 /a user\n");
    CHECK(line("%{x-twice}i|%{Age}o|%{None}i|%{none}o") == "two|7|-|-\n");
    // Cut, not rounded, as the reference does.
    CHECK(line("%T %D %{s}T %{ms}T %{us}T") == "2 2376543 2 2376 2376543\n");
    const std::string damaged = "2 Begin c req 1 rxreq\n2 Timestamp c Start: 17999999999999999999999999.5 0.0 0.0\n"
                                "2 Timestamp c Resp: nan 0.0 0.0\n2 End c\n";
    CHECK(line("%{sec}t %{us}T %{%Y}t", damaged) == "9223372036854775807 0 1900\n");
    CHECK(line("%{sec}t %{msec}t %{msec_frac}t %{usec_frac}t %{%Y}t") == "1700000000 1700000000123 123 123456 2023\n");
    CHECK(line("%{Varnish:hitmiss}x %{Varnish:handling}x %{Varnish:side}x %{Varnish:vxid}x "
               "%{Varnish:time_firstbyte}x %{VCL_Log:shop}x%{VCL_Log:none}x") == "hit hit c 2 0.076544 books\n");
    CHECK(line("%{VSL:Begin}x|%{VSL:Begin[2]}x|%{VSL:ReqHeader:Host}x|%{VSL:Hit[9]}x|%{VSL:Timestamp:resp[3]}x") ==
          "req 1 rxreq|1|example.com|-|2.3\n");
    CHECK(line("a\\tb\\n\\\"%{Host}i") == "a\tb\n\"example.com\n");
}

TEST_CASE("of a header that VCL changed, the first or the last value can be chosen", "[ncsa]") {
    const std::string lines = "2 ReqHeader c X-A: came\n"
                              "2 VCL_call c RECV\n"
                              "2 ReqUnset c X-A: came\n"
                              "2 ReqHeader c X-A: set\n"
                              "2 ReqUnset c X-A: set\n"
                              "2 ReqHeader c X-B: only\n"
                              "2 ReqUnset c X-B: gone\n"
                              "2 RespHeader c X-A: one\n"
                              "2 RespUnset c X-A: one\n"
                              "2 RespHeader c X-A: two\n";
    CHECK(line("%{x-a:first}i %{x-a:last}i %{x-a}i", lines) == "came set set\n");
    CHECK(line("%{x-b:first}i %{x-b:last}i %{x-b}i", lines) == "only gone only\n");
    CHECK(line("%{X-A:first}o %{X-A:last}o %{X-A}o %{none:last}o", lines) == "one two two -\n");
    CHECK(line("%{X-A:second}i") == "Unknown match rule :second");
    CHECK(line("%{X-A:}o") == "Unknown match rule :");
}

TEST_CASE("the usual line can be a part of another", "[ncsa]") {
    std::string usual = line(logread::ncsa_format::usual);
    usual.pop_back();
    CHECK(line("<%{Varnish:default_format}x> %l %m") == "<" + usual + "> - GET\n");
    CHECK(line("%{Varnish:default_format}x%Z") == "Unknown format specifier at: %Z");
}

TEST_CASE("requests to backends have lines too", "[ncsa]") {
    CHECK(line("%h %m %U %s %b %I %O %{Varnish:side}x %{Varnish:time_firstbyte}x %T %H", fetch) ==
          "192.0.2.9 GET /x 503 50 30 60 b 0.25 0 HTTP/1.0\n");
    CHECK(line("%r", fetch) == "GET http://localhost/x HTTP/1.0\n");
}

TEST_CASE("some transactions get no line", "[ncsa]") {
    CHECK(line("%U", "2 ReqURL c /\n2 VCL_return c restart\n").empty());
    CHECK(line("%t", "2 ReqURL c /\n").empty());
    CHECK(line("%U", "2 ReqURL c /\n2 HttpGarbage c x\n") == "/\n");
    CHECK(line("%U", "2 ReqURL c /\n2 HttpGarbage c x\n", true).empty());
}

TEST_CASE("how a request was handled is what came last", "[ncsa]") {
    const auto handled = [](const std::string& lines) {
        return line("%{Varnish:hitmiss}x %{Varnish:handling}x", lines);
    };
    CHECK(handled("2 VCL_call c MISS\n") == "miss miss\n");
    CHECK(handled("2 VCL_call c HIT\n2 VCL_call c PASS\n") == "miss pass\n");
    CHECK(handled("2 VCL_call c SYNTH\n") == "miss synth\n");
    CHECK(handled("2 VCL_return c pipe\n") == "miss pipe\n");
    CHECK(handled("2 VCL_call c MISS\n2 VCL_call c RECV\n") == "- -\n");
    CHECK(handled("2 HitMiss c 3 99.5\n2 VCL_call c MISS\n") == "miss hitmiss\n");
    CHECK(handled("2 HitPass c 3 99.5\n2 VCL_call c PASS\n") == "miss hitpass\n");
    CHECK(handled("2 HitMiss c 3 99.5\n2 VCL_call c MISS\n2 VCL_call c PASS\n") == "miss pass\n");
    CHECK(handled("2 HitPass c 3 99.5\n2 VCL_call c RECV\n2 VCL_call c PASS\n") == "miss pass\n");
}

TEST_CASE("for JSON, what is missing and what is odd is written otherwise", "[ncsa]") {
    CHECK(line("\"%{none}i\" %I %{User-Agent}i", "2 ReqHeader c User-Agent: a\"b\\\t\x01\xc3\xbc\n", true) ==
          "\"\" 0 a\\\"b\\\\\\t\\u0001\xc3\xbc\n");
    CHECK(line("%{VSL:Debug}x", "2 Debug c odd\x02\n", true) == "odd\\u0002\\u0000\n");
}

TEST_CASE("broken credentials are no user", "[ncsa]") {
    CHECK(line("%u", "2 ReqHeader c Authorization: Basic !!!\n") == "-\n");
    CHECK(line("%u", "2 ReqHeader c Authorization: Bearer abc\n") == "-\n");
    CHECK(line("%u", "2 ReqHeader c Authorization: Basic " + std::string(400, 'A') + "\n") == "-\n");
    CHECK(line("%u", "2 ReqHeader c Authorization: Basic dXNl\n") == "use\n");
}

TEST_CASE("wrong formats are explained", "[ncsa]") {
    CHECK(line("%") == "Unknown format specifier at: %");
    CHECK(line("a%Zb") == "Unknown format specifier at: %Zb");
    CHECK(line("%{foo}A") == "Unknown format specifier at: %{foo}A");
    CHECK(line("%{foo") == "Unmatched bracket at: %{foo");
    CHECK(line("%{foo}x") == "Unknown formatting extension: foo");
    CHECK(line("%{h}T") == "Unknown specifier: %{h}T");
    CHECK(line("%{VSL:}x") == "Missing tag in VSL:");
    CHECK(line("%{VSL:Req}x") == "Tag not unique: Req");
    CHECK(line("%{VSL:tea:x}x") == "Unknown log tag: tea:x");
    CHECK(line("%{VSL:Begin]}x") == "Syntax error: VSL:Begin]");
    CHECK(line("%{VSL:Begin[x]}x") == "Syntax error: VSL:Begin[x]");
    CHECK(line("%{VSL:Begin[256]}x") == "Syntax error. Field specifier must be between 1 and 255: Begin[256]");
    CHECK(line("%{VSL:Debug}x") == "Tag Debug can contain control characters");
}
