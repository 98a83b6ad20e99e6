#include "cli/line_reader.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat::cli;
using texts = std::vector<std::string>;

namespace {

std::vector<command_line> collect(line_reader& reader, std::string_view bytes) {
    std::vector<command_line> out;
    reader.feed(bytes, [&](const command_line& c) {
        out.push_back(c);
        return true;
    });
    return out;
}

line_reader authenticated() {
    line_reader reader;
    reader.set_authenticated(true);
    return reader;
}

} // namespace

TEST_CASE("lines arrive in any cut") {
    line_reader reader = authenticated();
    CHECK(collect(reader, "sta").empty());
    const auto got = collect(reader, "tus\r\n\n  ping 1\n");
    REQUIRE(got.size() == 2);
    CHECK(got[0].words == texts{"status"});
    CHECK(got[1].words == texts{"ping", "1"});
    CHECK(got[1].line == "ping 1");
}

TEST_CASE("a here-document is the last word, its token may appear in part") {
    line_reader reader = authenticated();
    const auto got = collect(reader, "vcl.inline v1 << EOV\nvcl 4.1;\nEO EOVA\nEOV\nstatus\n");
    REQUIRE(got.size() == 2);
    CHECK(got[0].words == texts{"vcl.inline", "v1", "vcl 4.1;\nEO EOVA\n"});
    CHECK(got[0].line == "vcl.inline v1 << EOV");
    CHECK(got[1].words == texts{"status"});
}

TEST_CASE("before authentication lines are cut and here-documents are plain words") {
    line_reader reader;
    const auto got = collect(reader, "auth << x\n");
    REQUIRE(got.size() == 1);
    CHECK(got[0].words == texts{"auth", "<<", "x"});
    const auto cut = collect(reader, std::string(100, 'a'));
    REQUIRE(cut.size() == 1);
    CHECK(cut[0].line.size() == 80);
}

TEST_CASE("a leading dash lets a command of an -I file fail") {
    line_reader reader = authenticated();
    const auto got = collect(reader, "-vcl.use nothing\n");
    REQUIRE(got.size() == 1);
    CHECK(got[0].ignore_failure);
    CHECK(got[0].words == texts{"vcl.use", "nothing"});
}

TEST_CASE("the reader stops where it is told to") {
    line_reader reader = authenticated();
    int count = 0;
    CHECK_FALSE(reader.feed("a\nb\nc\n", [&](const command_line&) { return ++count < 2; }));
    CHECK(count == 2);
}
