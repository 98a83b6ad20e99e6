#include "logread/log_options.hpp"
#include "logread/transaction.hpp"
#include "logread/usage.hpp"
#include "unit/logread/log_words.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using logread::log_options;

namespace {

std::string wrong(char letter, const std::string& value) {
    log_options options;
    std::string error;
    return options.take(letter, value, error) == log_options::verdict::wrong ? error : "taken";
}

struct options_of {
    options_of(std::initializer_list<std::pair<char, std::string>> given) {
        std::string error;
        for (const auto& [letter, value] : given) {
            REQUIRE(made.take(letter, value, error) == log_options::verdict::taken);
        }
    }
    bool shows(const std::string& line) const { return made.shows(logread::record(test::log_words(line).data())); }
    log_options made;
};

} // namespace

TEST_CASE("tags are chosen by name, beginning and glob", "[options]") {
    const options_of all{};
    CHECK(all.shows("1 ReqURL c /"));
    const options_of some{{'i', "requr,*header"}};
    CHECK_FALSE(some.shows("1 ReqMethod c GET"));
    CHECK(some.shows("1 ReqHeader c a: b"));
    CHECK(some.shows("1 BerespHeader b a: b"));
    CHECK(wrong('i', "tea") == "-i: \"tea\" matches zero tags");
    CHECK(wrong('i', "Resp") == "-i: \"Resp\" is ambiguous");
    CHECK(wrong('x', "Re**sp") == "-x: Syntax error in \"Re**sp\"");
    CHECK(wrong('x', ",") == "-x: \",\" matches zero tags");
}

TEST_CASE("the last word on a tag counts, and patterns go before tags", "[options]") {
    const options_of hidden{{'x', "Req*"}, {'i', "ReqURL"}};
    CHECK(hidden.shows("1 ReqURL c /"));
    CHECK_FALSE(hidden.shows("1 ReqMethod c GET"));
    CHECK(hidden.shows("1 RespStatus c 200"));
    const options_of patterns{{'C', ""}, {'I', "ReqHeader,RespHeader:^HOST"}, {'X', "secret"}, {'i', "ReqURL"}};
    CHECK(patterns.shows("1 ReqHeader c Host: secret"));
    CHECK_FALSE(patterns.shows("1 ReqHeader c Accept: x"));
    CHECK_FALSE(patterns.shows("1 ReqURL c /Secret"));
    CHECK(patterns.shows("1 ReqURL c /x"));
    CHECK(wrong('I', "(foo") == "-I: Regex error at position 4 (missing closing parenthesis)");
    CHECK(wrong('X', "tea:x") == "-X: \"tea\" matches zero tags");
}

TEST_CASE("sides are chosen", "[options]") {
    const options_of client{{'c', ""}};
    CHECK(client.shows("1 ReqURL c /"));
    CHECK_FALSE(client.shows("1 BereqURL b /"));
    CHECK_FALSE(client.shows("0 CLI - Rd"));
    CHECK(options_of{{'E', ""}}.made.client);
}

TEST_CASE("limits are numbers within reason", "[options]") {
    CHECK(options_of{{'L', "5 "}}.made.limit == 5);
    CHECK(wrong('L', "0") == "-L: Range error");
    CHECK(wrong('L', "5x") == "-L: Syntax error");
    CHECK(options_of{{'T', "1.5"}}.made.timeout == 1.5);
    CHECK(wrong('T', "x") == "-T: Syntax error");
    CHECK(wrong('T', "-1") == "-T: Range error");
    const options_of rate{{'R', "10/2m"}};
    CHECK(rate.made.rate.count == 10);
    CHECK(rate.made.rate.period == 120);
    CHECK(options_of{{'R', "5/h"}}.made.rate.period == 3600);
    CHECK(options_of{{'R', "5"}}.made.rate.period == 1);
    CHECK(wrong('R', "1x") == "-R: Syntax error");
    CHECK(wrong('R', "0") == "-R: Range error");
    CHECK(wrong('R', "99999999999999999999") == "-R: Range error");
    CHECK(wrong('R', "1/") == "-R: Syntax error");
    CHECK(wrong('R', "1/0s") == "-R: Syntax error: Invalid duration");
    CHECK(wrong('R', "1/1q") == "-R: Syntax error: Invalid duration");
}

TEST_CASE("groupings may be shortened", "[options]") {
    CHECK(logread::find_grouping("SESS").how == logread::grouping::session);
    CHECK(logread::find_grouping("raw").how == logread::grouping::raw);
    CHECK(logread::find_grouping("r").ambiguous);
    CHECK_FALSE(logread::find_grouping("r").how);
    CHECK_FALSE(logread::find_grouping("tea").how);
    CHECK_FALSE(logread::find_grouping("tea").ambiguous);
}

TEST_CASE("option tables become letters and help", "[options]") {
    const logread::option_help own[] = {{'w', "<file>", "Write"}, {'d', nullptr, "Mine"}};
    const auto table = logread::options_of("dgw", own);
    CHECK(logread::option_letters(table) == "dg:w:");
    CHECK(logread::usage_text("x", table).find("Usage: x <options>\n\nOptions:\n [-d]                      Mine\n") ==
          0);
}
