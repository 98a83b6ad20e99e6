#include "cli/words.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat::cli;
using texts = std::vector<std::string>;

TEST_CASE("blanks separate words, quotes group and escapes stand for bytes") {
    CHECK(split_words("  a\tb  c ").words == texts{"a", "b", "c"});
    CHECK(split_words("\"a b\" c").words == texts{"a b", "c"});
    CHECK(split_words("\"\" x").words == texts{"", "x"});
    CHECK(split_words(R"(\n\r\t\"\\ \101\x42\1z)").words == texts{"\n\r\t\"\\", "AB\x01z"});
    CHECK(split_words("\"a\" \"b\"").words == texts{"a", "b"});
    CHECK(split_words("").words.empty());
    CHECK(split_words("a,b").words == texts{"a,b"});
}

TEST_CASE("malformed lines are named in the reference's words") {
    CHECK(split_words("\"abc").error == "Missing '\"'");
    CHECK(split_words("ab\"c").error == "Invalid '\"'");
    CHECK(split_words("a\\q").error == "Invalid backslash sequence");
    CHECK(split_words("a\\").error == "Invalid backslash sequence");
    CHECK(split_words("a\\x4").error == "Invalid backslash sequence");
    CHECK(split_words("\"a\"\"b\"").error == "Missing separator between arguments");
    CHECK(split_words("\"a\"\"b\"").words.empty());
}

TEST_CASE("commas separate an option's sub-arguments") {
    CHECK(split_words("malloc,256m", separator::commas).words == texts{"malloc", "256m"});
    CHECK(split_words("a,", separator::commas).words == texts{"a", ""});
    CHECK(split_words("a,,b", separator::commas).words == texts{"a", "", "b"});
    CHECK(split_words("a , b", separator::commas).words == texts{"a", "b"});
}

TEST_CASE("a quoted word reads back as itself") {
    for (const std::string& word : {std::string("plain"), std::string("two words"), std::string("a\"b\\c\nd\te\r"),
                                    std::string("\x01\x7f\xc3\xa9"), std::string()}) {
        const split_line back = split_words(quote_word(word));
        REQUIRE(back.error.empty());
        REQUIRE(back.words.size() == 1);
        CHECK(back.words[0] == word);
    }
}
