#include "logread/json_log.hpp"
#include "logread/json_value.hpp"
#include "unit/logread/log_words.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using logread::json_value;

namespace {

std::string printed(const std::string& lines, logread::transaction_type type,
                    const logread::log_options& options = {}) {
    const auto words = test::log_words(lines);
    const logread::transaction t{1, 2, 0, type, logread::transaction_reason::rxreq, logread::record_range(words)};
    std::string out;
    logread::print_json({&t, 1}, options, out);
    return out;
}

} // namespace

TEST_CASE("JSON is read", "[json]") {
    const auto value =
        logread::parse_json(" {\"a\": [1, -2.5e3, true, null], \"b\": {\"c\": \"x\\n\\u00fc\\\"\"}, \"d\": {}} ");
    REQUIRE(value);
    CHECK(value->find("a")->members.size() == 4);
    CHECK(value->find("a")->members[1].value.text == "-2.5e3");
    CHECK(value->find("b")->text_of("c") == "x\n\xc3\xbc\"");
    CHECK(value->find("d")->members.empty());
    CHECK(value->find("e") == nullptr);
    for (const char* wrong : {"", "{", "{\"a\"}", "[1,]", "\"x", "tru", "{} x", "{\"a\":1,}", "\"\\q\"", "\"\\u12\""}) {
        INFO(wrong);
        CHECK_FALSE(logread::parse_json(wrong));
    }
    CHECK_FALSE(logread::parse_json(std::string(200, '[')));
}

TEST_CASE("a request becomes an object", "[json]") {
    const std::string text = printed("2 Begin c req 1 rxreq\n"
                                     "2 Timestamp c Start: 1700000000.5 0.000000 0.000000\n"
                                     "2 ReqStart c 192.0.2.7 1234 a0\n"
                                     "2 VCL_use c boot\n"
                                     "2 ReqMethod c GET\n"
                                     "2 ReqURL c /first\n"
                                     "2 ReqURL c /a\"b\n"
                                     "2 ReqHeader c Host: example.com\n"
                                     "2 ReqHeader c X-Gone: 1\n"
                                     "2 ReqUnset c X-Gone: 1\n"
                                     "2 VCL_call c HIT\n"
                                     "2 RespStatus c 200\n"
                                     "2 RespReason c OK\n"
                                     "2 RespHeader c Broken: \xff\xc3\xbc\n"
                                     "2 VCL_Log c key: value\n"
                                     "2 Link c bereq 3 fetch\n"
                                     "2 ReqAcct c 10 20 30 40 50 90\n"
                                     "2 End c\n",
                                     logread::transaction_type::req);
    const auto value = logread::parse_json(text);
    REQUIRE(value);
    CHECK(value->text_of("id") == "2");
    CHECK(value->text_of("side") == "client");
    CHECK(value->text_of("handling") == "hit");
    CHECK(value->text_of("parent") == "1");
    CHECK(value->find("client")->text_of("rPort") == "1234");
    const json_value* request = value->find("req");
    REQUIRE(request);
    CHECK(request->text_of("url") == "/a\"b");
    CHECK(request->text_of("bodyBytes") == "20");
    CHECK(request->find("headers")->members.size() == 1);
    const json_value* response = value->find("resp");
    CHECK(response->find("status")->what == json_value::kind::number);
    CHECK(response->text_of("hdrBytes") == "40");
    CHECK(response->find("headers")->members[0].value.text_of("value") == "\xef\xbf\xbd\xc3\xbc");
    CHECK(value->find("timeline")->members[0].value.text_of("timestamp") == "1700000000.5");
    CHECK(value->find("links")->members[0].value.text_of("id") == "3");
    CHECK(value->find("logs")->members[0].value.text == "key: value");
    CHECK(value->find("records")->members[0].value.text_of("value") == "HIT");
}

TEST_CASE("options leave records out of objects", "[json]") {
    logread::log_options options;
    std::string error;
    options.take('i', "ReqURL", error);
    const auto value =
        logread::parse_json(printed("2 ReqURL c /a\n2 VCL_call c HIT\n", logread::transaction_type::req, options));
    REQUIRE(value);
    CHECK(value->find("req")->text_of("url") == "/a");
    CHECK(value->find("records") == nullptr);
    CHECK(value->find("handling") == nullptr);
}

TEST_CASE("a group of several is an array", "[json]") {
    const auto words = test::log_words("2 ReqURL c /a\n");
    const logread::transaction t{1, 2, 0, logread::transaction_type::req, {}, logread::record_range(words)};
    const std::array<logread::transaction, 2> both{t, t};
    std::string out;
    logread::print_json(both, {}, out);
    const auto value = logread::parse_json(out);
    REQUIRE(value);
    CHECK(value->what == json_value::kind::array);
    CHECK(value->members.size() == 2);
}
