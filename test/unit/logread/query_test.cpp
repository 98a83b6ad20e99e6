#include "logread/query.hpp"
#include "unit/logread/log_words.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using logread::query;

namespace {

std::string tree(const std::string& text) {
    std::string error;
    const auto made = query::compile(text, false, error);
    return made ? made->to_text() : error;
}

const std::string lines = "2 Begin c req 1 rxreq\n"
                          "2 ReqMethod c GET\n"
                          "2 ReqURL c /about?x=1\n"
                          "2 ReqHeader c Host: www.example.com\n"
                          "2 ReqHeader c User-Agent: one \"two three\" four\n"
                          "2 ReqHeader c X-Empty:\n"
                          "2 Timestamp c Process: 1700000000.250000 0.125000 0.000100\n"
                          "2 RespStatus c 404\n"
                          "2 Hit c 32770 119.9 10.000000 0.000000\n"
                          "2 TTL c -5\n";
const std::string below = "3 Begin b bereq 2 fetch\n3 BereqURL b /about\n";

/// Whether a request with one fetch below it is selected.
bool selects(const std::string& text, bool caseless = false) {
    std::string error;
    const auto made = query::compile(text, caseless, error);
    INFO(text << ": " << error);
    REQUIRE(made != nullptr);
    const auto top = test::log_words(lines);
    const auto fetch = test::log_words(below);
    const std::array<logread::transaction, 2> members{
        logread::transaction{1, 2, 0, logread::transaction_type::req, {}, logread::record_range(top)},
        logread::transaction{2, 3, 2, logread::transaction_type::bereq, {}, logread::record_range(fetch)}};
    return made->selects(members);
}

} // namespace

TEST_CASE("queries have a structure", "[query]") {
    CHECK(tree("ReqURL") == "ReqURL");
    CHECK(tree("ReqURL eq a and not ReqMethod ne 'b c' or RespStatus >= 0x10") ==
          "(or (and (ReqURL eq \"a\") (not (ReqMethod ne \"b c\"))) (RespStatus >= 16))");
    CHECK(tree("ReqURL and (ReqMethod or vxid != 7)") == "(and ReqURL (or ReqMethod (vxid != 7)))");
    CHECK(tree("{2+}ReqH*,BereqH*:Host[1] ~ \"a\\\"b\"") == "({2+}ReqH*,BereqH*:Host[1] ~ \"a\"b\")");
    CHECK(tree("ReqURL # all\n\nReqMethod !~ x\n") == "(or (ReqMethod !~ \"x\") ReqURL)");
    CHECK(tree("ReqURL \\\n and RespStatus==1.50") == "(and ReqURL (RespStatus == 1.5))");
    CHECK(tree("{0-}End<-1") == "({0-}End < -1)");
}

TEST_CASE("wrong queries are explained with the place marked", "[query]") {
    CHECK(tree("ReqURL ~ \"([\"") == "Regular expression error: missing terminating ] for character class (Pos 12)\n"
                                     "ReqURL ~ \"([\"\n"
                                     "---------##^#\n\n");
    CHECK(tree("ReqURL;") == "Syntax error (Pos 7)\nReqURL;\n------^\n\n");
    CHECK(tree("ReqURL ;") == "Syntax error (Pos 8)\nReqURL ;\n-------#\n\n");
    CHECK(tree("'ab") == "Unterminated string (Pos 4)\n'ab\n###\n\n");
    CHECK(tree("") == "");
    const auto first_line = [](const std::string& text) {
        const std::string message = tree(text);
        return message.substr(0, message.find('\n'));
    };
    CHECK(first_line("{x}ReqURL") == "Syntax error in level limit (Pos 2)");
    CHECK(first_line("{-1}ReqURL") == "Expected positive integer (Pos 2)");
    CHECK(first_line("{}ReqURL") == "Expected integer got '}' (Pos 2)");
    CHECK(first_line("{1 ReqURL") == "Expected '}' got 'ReqURL' (Pos 4)");
    CHECK(first_line("Resp") == "Tag name is ambiguous (Pos 1)");
    CHECK(first_line("Tea") == "Tag name matches zero tags (Pos 1)");
    CHECK(first_line("*R*") == "Syntax error in tag name (Pos 1)");
    CHECK(first_line("ReqHeader:[1]") == "Expected string got '[' (Pos 11)");
    CHECK(first_line("ReqHeader:a[0]") == "Expected positive integer (Pos 13)");
    CHECK(first_line("ReqHeader:a[1") == "Expected ']' got end of input (Pos 14)");
    CHECK(first_line("RespStatus == ten") == "Integer parse error (Pos 15)");
    CHECK(first_line("RespStatus == 1.x") == "Floating point parse error (Pos 15)");
    CHECK(first_line("ReqURL ~ and") == "Expected regular expression got 'and' (Pos 10)");
    CHECK(first_line("ReqURL eq") == "Expected string got '' (Pos 10)");
    CHECK(first_line("ReqURL ReqURL") == "Expected operator got 'ReqURL' (Pos 8)");
    CHECK(first_line("vxid eq 3") == "Expected vxid operator got 'eq' (Pos 6)");
    CHECK(first_line("vxid == 3.0") == "Expected integer got '3.0' (Pos 9)");
    CHECK(first_line("{1}vxid == 3") == "Unexpected taglist selection for vxid (Pos 9)");
    CHECK(first_line("(ReqURL") == "Expected ')' got end of input (Pos 8)");
    CHECK(first_line("ReqURL)") == "Expected EOI got ')' (Pos 7)");
    CHECK(first_line(std::string(5000, '(')).find("nested too deeply") != std::string::npos);
}

TEST_CASE("records are compared as texts, numbers and patterns", "[query]") {
    CHECK(selects("ReqMethod eq GET"));
    CHECK_FALSE(selects("ReqMethod eq get"));
    CHECK(selects("ReqMethod eq get", true));
    CHECK(selects("ReqURL ~ '^/about.x=1$'"));
    CHECK_FALSE(selects("ReqURL ~ ABOUT"));
    CHECK(selects("ReqURL ~ ABOUT", true));
    CHECK(selects("ReqURL !~ missing"));
    CHECK(selects("RespStatus == 404 and RespStatus >= 404 and RespStatus <= 404.0 and RespStatus != 405"));
    CHECK(selects("RespStatus > 403.9 and RespStatus < 404.1"));
    CHECK_FALSE(selects("ReqURL == 0"));
    CHECK(selects("TTL < 0 and TTL == -5"));
    CHECK(selects("Hit and not HitMiss"));
    CHECK_FALSE(selects("ReqURL ne '/about?x=1'"));
}

TEST_CASE("prefixes and fields choose a part of a record", "[query]") {
    CHECK(selects("ReqHeader:host eq www.example.com"));
    CHECK_FALSE(selects("ReqHeader:hos eq www.example.com"));
    CHECK(selects("ReqHeader:user-agent[1] eq one"));
    CHECK(selects("ReqHeader:user-agent[2] eq 'two three'"));
    CHECK(selects("ReqHeader:user-agent[3] eq four"));
    CHECK_FALSE(selects("ReqHeader:user-agent[4]"));
    CHECK(selects("ReqHeader:x-empty"));
    CHECK_FALSE(selects("ReqHeader:x-empty == 0"));
    CHECK(selects("Timestamp:Process[2] > 0.1 and Timestamp[1] eq 'Process:'"));
    CHECK(selects("Hit[1] == 32770 and Hit[2] > 118"));
    CHECK(selects("Req*:Host"));
}

TEST_CASE("levels and transaction numbers choose among transactions", "[query]") {
    CHECK(selects("{2}BereqURL"));
    CHECK_FALSE(selects("{1}BereqURL"));
    CHECK(selects("{2-}ReqURL and {1+}ReqURL and {2+}BereqURL"));
    CHECK_FALSE(selects("{2+}ReqURL"));
    CHECK(selects("vxid == 3 and vxid < 3 and vxid != 2"));
    CHECK_FALSE(selects("vxid > 3"));
    CHECK(selects("ReqURL eq nothing\nvxid <= 2"));
}
