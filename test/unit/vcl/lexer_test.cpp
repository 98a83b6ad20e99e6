#include "vcl/syntax/lexer.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat::vcl::syntax;

namespace {

struct lexed {
    source from;
    std::vector<token> tokens;
    diagnostics messages;
    bool good;

    explicit lexed(std::string text) {
        from.name = "t";
        from.text = std::move(text);
        good = lex(from, tokens, messages);
    }
};

} // namespace

TEST_CASE("names, numbers, operators and comments become tokens") {
    lexed l("set x-1_b += 12 * 1.5; # rest\n// more\n/* and\nmore */ !~ >= &&");
    REQUIRE(l.good);
    std::vector<kind> kinds;
    for (const token& t : l.tokens) {
        kinds.push_back(t.what);
    }
    CHECK(kinds == std::vector<kind>{kind::name, kind::name, kind::plus_equal, kind::integer, punct('*'), kind::real,
                                     punct(';'), kind::no_match, kind::greater_equal, kind::logical_and, kind::end});
    CHECK(l.tokens[1].text == "x-1_b");
    CHECK(l.tokens[3].number == 12);
    CHECK(l.tokens[5].number == 1.5);
}

TEST_CASE("all string forms give what stands between their delimiters") {
    lexed l("\"a\" {\"b\"q\nr\"} \"\"\"c\"\n\"\"d\"\"\" \"\"");
    REQUIRE(l.good);
    CHECK(l.tokens[0].string == "a");
    CHECK(l.tokens[1].string == "b\"q\nr");
    CHECK(l.tokens[2].string == "c\"\n\"\"d");
    CHECK(l.tokens[3].string == "");
}

TEST_CASE("blobs are base64 between colons") {
    CHECK(lexed(":AAAA:").good);
    CHECK(lexed(":AA==:").good);
    CHECK(lexed(":AAA:").messages.text().starts_with("BLOB must have n*4 base64 characters\n"));
    CHECK(lexed(":AAAA").messages.text().starts_with("Missing colon at end of BLOB:\n"));
    CHECK(lexed(":AA?A:").messages.text().starts_with("Illegal BLOB character:\n"));
}

TEST_CASE("lexical errors name the place") {
    CHECK(lexed("a \"b\nc\"").messages.text() ==
          "Unterminated string, starting at\n('t' Line 1 Pos 3)\na \"b\n--#-\n\n");
    CHECK(lexed("\n\t/* x").messages.text() ==
          "Unterminated /* ... */ comment, starting at\n('t' Line 2 Pos 9)\n        /* x\n--------##--\n\n");
    CHECK(lexed("1234567890123456").messages.text().starts_with("Too many digits for integer.\n"));
    CHECK(lexed("1.2345").messages.text().starts_with("Too many digits for real.\n"));
    CHECK(lexed("@").messages.text().starts_with("Syntax error at\n"));
    CHECK(lexed("/* a /* b */").messages.text().starts_with("/* ... */ comment contains /*\n"));
    CHECK(lexed("C{ x").messages.text().starts_with("Unterminated inline C source"));
}
