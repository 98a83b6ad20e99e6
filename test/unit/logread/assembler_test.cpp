#include "unit/logread/log_words.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using logread::grouping;
using test::assembling;

namespace {

const std::string session = "1 Begin c sess 0 HTTP/1\n"
                            "1 SessOpen c 127.0.0.1 1 a0 127.0.0.1 2 1.0 3\n"
                            "1 Link c req 2 rxreq\n";
const std::string request = "2 Begin c req 1 rxreq\n"
                            "2 ReqURL c /a\n"
                            "2 Link c bereq 3 fetch\n"
                            "2 End c\n";
const std::string fetch = "3 Begin b bereq 2 fetch\n"
                          "3 BereqURL b /a\n"
                          "3 End b\n";

} // namespace

TEST_CASE("raw grouping gives each record alone", "[assembler]") {
    assembling a(grouping::raw);
    CHECK(a.feed("0 CLI - Rd ping\n7 ReqURL c /x\n"));
    CHECK(a.take() == "         0 CLI            - Rd ping\n         7 ReqURL         c /x\n");
    CHECK(a.groups == 2);
}

TEST_CASE("vxid grouping gives transactions as they end", "[assembler]") {
    assembling a(grouping::vxid);
    a.feed(session + request);
    CHECK(a.take() == "*   << Request  >> 2         \n"
                      "-   Begin          req 1 rxreq\n"
                      "-   ReqURL         /a\n"
                      "-   Link           bereq 3 fetch\n"
                      "-   End            \n\n");
    a.feed(fetch + "1 End c\n");
    CHECK(a.groups == 3);
    CHECK(a.made->kept() == 0);
}

TEST_CASE("request grouping waits for what a request started", "[assembler]") {
    assembling a(grouping::request);
    a.feed(session + request);
    CHECK(a.groups == 0);
    a.feed(fetch);
    CHECK(a.take() == "*   << Request  >> 2         \n"
                      "-   Begin          req 1 rxreq\n"
                      "-   ReqURL         /a\n"
                      "-   Link           bereq 3 fetch\n"
                      "-   End            \n"
                      "**  << BeReq    >> 3         \n"
                      "--  Begin          bereq 2 fetch\n"
                      "--  BereqURL       /a\n"
                      "--  End            \n\n");
    CHECK(a.made->kept() == 0);
}

TEST_CASE("session grouping takes all of a connection, in any order", "[assembler]") {
    assembling a(grouping::session);
    a.feed(fetch + request + session + "1 End c\n");
    CHECK(a.groups == 1);
    const std::string text = a.take();
    CHECK(text.find("*   << Session  >> 1") == 0);
    CHECK(text.find("**  << Request  >> 2") != std::string::npos);
    CHECK(text.find("*** << BeReq    >> 3") != std::string::npos);
}

TEST_CASE("a restart stays on its parent's level", "[assembler]") {
    assembling a(grouping::request);
    a.feed("2 Begin c req 1 rxreq\n2 Link c req 3 restart\n2 End c\n"
           "3 Begin c req 2 restart\n3 Link c req 4 esi\n3 End c\n4 Begin c req 3 esi\n4 End c\n");
    const std::string text = a.take();
    CHECK(text.find("*   << Request  >> 3") != std::string::npos);
    CHECK(text.find("**  << Request  >> 4") != std::string::npos);
}

TEST_CASE("deep levels are numbered", "[assembler]") {
    assembling a(grouping::request);
    std::string lines;
    for (int i = 2; i < 8; ++i) {
        lines += fmt::format("{} Begin c req {} {}\n{} Link c req {} esi\n{} End c\n", i, i - 1,
                             i == 2 ? "rxreq" : "esi", i, i + 1, i);
    }
    a.feed(lines + "8 Begin c req 7 esi\n8 End c\n");
    const std::string text = a.take();
    CHECK(text.find("\n*4* << Request  >> 5") != std::string::npos);
    CHECK(text.find("\n-7- End") != std::string::npos);
}

TEST_CASE("only what options ask for is kept", "[assembler]") {
    assembling a(grouping::vxid);
    a.options.client = true;
    a.feed(session + request + fetch + "5 Begin c req 2 esi\n5 End c\n1 End c\n");
    CHECK(a.groups == 1);
    a.options.esi = true;
    a.feed("6 Begin c req 2 esi\n6 End c\n");
    CHECK(a.groups == 2);
}

TEST_CASE("records of no known transaction are left out", "[assembler]") {
    assembling a(grouping::vxid);
    a.feed("9 ReqURL c /lost\n9 End c\n0 CLI - Rd ping\n");
    CHECK(a.made->kept() == 0);
    CHECK(a.groups == 0);
}

TEST_CASE("a transaction that does not end is forced to after the timeout", "[assembler]") {
    assembling a(grouping::vxid);
    a.feed("2 Begin c req 1 rxreq\n2 ReqURL c /a\n");
    a.clock.now += 119;
    a.feed("4 Begin c req 1 rxreq\n");
    CHECK(a.groups == 0);
    a.clock.now += 1;
    a.feed("5 Begin c req 1 rxreq\n");
    CHECK(a.take() == "*   << Request  >> 2         \n"
                      "-   Begin          req 1 rxreq\n"
                      "-   ReqURL         /a\n"
                      "-   VSL            timeout\n"
                      "-   End            synth\n\n");
    CHECK(a.made->kept() == 2);
}

TEST_CASE("a timeout of nothing forces at once", "[assembler]") {
    assembling a(grouping::vxid);
    a.options.timeout = 0;
    a.feed("2 Begin c req 1 rxreq\n2 ReqURL c /a\n2 End c\n");
    CHECK(a.take().find("VSL            timeout") != std::string::npos);
}

TEST_CASE("the oldest is forced when too many are kept", "[assembler]") {
    assembling a(grouping::vxid);
    a.options.limit = 2;
    a.feed("2 Begin c req 1 rxreq\n3 Begin c req 1 rxreq\n4 Begin c req 1 rxreq\n");
    const std::string text = a.take();
    CHECK(text.find("<< Request  >> 2 ") != std::string::npos);
    CHECK(text.find("VSL            store overflow") != std::string::npos);
    CHECK(a.groups == 1);
}

TEST_CASE("a transaction known by a link only has records made for it", "[assembler]") {
    assembling a(grouping::session);
    a.feed("1 Begin c sess 0 HTTP/1\n1 Link c req 2 rxreq\n1 End c\n");
    CHECK(a.groups == 0);
    a.made->flush();
    CHECK(a.take() == "*   << Session  >> 1         \n"
                      "-   Begin          sess 0 HTTP/1\n"
                      "-   Link           req 2 rxreq\n"
                      "-   End            \n"
                      "**  << Request  >> 2         \n"
                      "--  Begin          req 0 synth\n"
                      "--  VSL            flush\n"
                      "--  End            synth\n\n");
}

TEST_CASE("a parent known by its child only is of unknown kind", "[assembler]") {
    assembling a(grouping::request);
    a.feed("3 Begin b bereq 2 fetch\n3 End b\n");
    a.most = 0;
    a.made->flush(); // a group whose top is no request is not handed out
    CHECK(a.groups == 0);
    CHECK(a.made->kept() == 0);
}

TEST_CASE("what does not fit together is told in place", "[assembler]") {
    const auto story = [](const std::string& lines) {
        assembling a(grouping::vxid);
        a.feed(lines);
        return a.take();
    };
    CHECK(story("2 Begin c req 1 rxreq\n2 Begin c req 1 rxreq\n2 End c\n")
              .find("-   Begin          req 1 rxreq\n-   VSL            duplicate begin (2:Begin \"req 1 rxreq\")\n") !=
          std::string::npos);
    CHECK(story("2 Begin c req x\n2 End c\n").find("parse error (2:Begin \"req x\")") != std::string::npos);
    CHECK(story("2 Begin c tea 1 time\n2 End c\n").find("unknown vxid type (2:Begin \"tea 1 time\")") !=
          std::string::npos);
    CHECK(story("2 Begin c req 2 rxreq\n2 End c\n").find("link to self") != std::string::npos);
    CHECK(story("2 Begin c req 1 rxreq\n2 Link c bereq\n2 End c\n").find("parse error (2:Link \"bereq\")") !=
          std::string::npos);

    assembling a(grouping::session);
    a.feed("2 Begin c req 1 rxreq\n2 Link c req 0 esi\n2 Link c req 2 esi\n2 Link c req 3 esi\n"
           "4 Begin c req 1 rxreq\n4 Link c req 3 esi\n3 Begin c req 9 esi\n2 End c\n3 End c\n4 End c\n"
           "4 ReqURL c /late\n1 Begin c sess 0 HTTP/1\n1 Link c req 2 rxreq\n1 Link c req 7 rxreq\n"
           "7 Begin b bereq 1 fetch\n7 End b\n1 End c\n");
    const std::string text = a.take();
    for (const char* note : {"illegal link vxid (2:Link \"req 0 esi\")", "link to self (2:Link \"req 2 esi\")",
                             "duplicate link (4:Link \"req 3 esi\")", "link mismatch (3:Begin \"req 9 esi\")",
                             "type mismatch (7:Begin \"bereq 1 fetch\")", "ReqURL         /late"}) {
        INFO(note);
        CHECK(text.find(note) != std::string::npos);
    }
}

TEST_CASE("a batch with records of another transaction is told of", "[assembler]") {
    assembling a(grouping::vxid);
    a.feed_batch("2 Begin c req 1 rxreq\n3 ReqURL c /b\n2 End c\n");
    CHECK(a.take().find("vxid mismatch (3:ReqURL \"/b\")") != std::string::npos);
}

TEST_CASE("links that go round end all the same", "[assembler]") {
    assembling a(grouping::session);
    a.feed("2 Begin c req 3 esi\n3 Begin c req 2 esi\n2 Link c req 3 esi\n2 End c\n3 End c\n");
    a.made->flush();
    CHECK(a.made->kept() == 0);
}

TEST_CASE("a query selects whole groups", "[assembler]") {
    assembling a(grouping::request, "BereqURL eq '/a'");
    a.feed(request + fetch + "5 Begin c req 1 rxreq\n5 End c\n");
    CHECK(a.groups == 1);
}

TEST_CASE("a rate limit lets some through", "[assembler]") {
    assembling a(grouping::raw);
    a.options.rate = {2, 10};
    a.feed("0 CLI - 1\n0 CLI - 2\n0 CLI - 3\n");
    CHECK(a.groups == 1);
    a.clock.now += 5;
    a.feed("0 CLI - 4\n0 CLI - 5\n");
    CHECK(a.groups == 2);
    a.clock.now += 1000;
    a.feed("0 CLI - 6\n0 CLI - 7\n0 CLI - 8\n");
    CHECK(a.groups == 4);
}

TEST_CASE("the receiver can end the work", "[assembler]") {
    assembling a(grouping::vxid);
    a.most = 1;
    CHECK_FALSE(a.feed(request + "5 Begin c req 1 rxreq\n5 End c\n"));
    CHECK(a.groups == 1);
}

TEST_CASE("words that stay are not copied, others are", "[assembler]") {
    for (const bool stable : {true, false}) {
        assembling a(grouping::request);
        auto first = test::log_words("2 Begin c req 1 rxreq\n2 ReqURL c /a\n2 Link c bereq 3 fetch\n");
        const auto between = test::log_words(fetch);
        const auto last = test::log_words("2 ReqMethod c GET\n2 End c\n");
        a.made->feed({first, false, stable});
        if (!stable) {
            std::fill(first.begin(), first.end(), 0xffffffffU);
        }
        a.made->feed({between, false, stable});
        a.made->feed({last, false, stable});
        CHECK(a.groups == 1);
        CHECK(a.take().find("/a\n-   Link           bereq 3 fetch\n-   ReqMethod      GET\n") != std::string::npos);
    }
}

TEST_CASE("what was kept can be dropped", "[assembler]") {
    assembling a(grouping::session);
    a.feed(session + request);
    a.made->discard();
    CHECK(a.made->kept() == 0);
    a.feed(session + request + fetch + "1 End c\n");
    CHECK(a.groups == 1);
}
