#include "tables/params.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace clearcoat::tables;

namespace {

struct fixture {
    param_block block;
    parameter_set set{block};

    std::string show(std::vector<std::string_view> arguments) { return set.show(arguments).text; }
    std::string json(std::vector<std::string_view> arguments) { return set.show_json(arguments).text; }
};

std::size_t longest_line(const std::string& text) {
    std::size_t longest = 0;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = std::min(text.find('\n', at), text.size());
        longest = std::max(longest, end - at);
        at = end + 1;
    }
    return longest;
}

} // namespace

TEST_CASE_METHOD(fixture, "the short form has one aligned line each", "[params]") {
    std::string all = show({});
    CHECK(all.find("default_ttl                   120.000 [seconds] (default)\n") != std::string::npos);
    CHECK(all.find("accept_filter                 -\n") != std::string::npos);
    CHECK(all.find("workspace_session             0.75k [bytes] (default)\n") != std::string::npos);
    CHECK(all.find("deprecated_dummy") == std::string::npos);
    CHECK(show({"changed"}).empty());
    CHECK(set.set("default_ttl", "7", false).ok());
    CHECK(show({"changed"}) == "default_ttl                   7.000 [seconds]\n");
}

TEST_CASE_METHOD(fixture, "the long form tells limits and wraps its text", "[params]") {
    CHECK(set.set("thread_pools", "4", false).ok());
    std::string one = show({"thread_pools"});
    CHECK(one.find("thread_pools\n        Value is: 4 [pools]\n        Default is: 2\n"
                   "        Minimum is: 1\n        Maximum is: 32\n\n        ") == 0);
    CHECK(one.substr(one.size() - 2) == "\n\n");
    CHECK(longest_line(show({"ban_cutoff"})) < 73);
    CHECK(show({"feature"}).find("\n           http2                      Speak") != std::string::npos);
    CHECK(show({"deprecated_dummy"}).find("        Alias of: debug\n") != std::string::npos);
}

TEST_CASE_METHOD(fixture, "wrong arguments are refused", "[params]") {
    std::vector<std::string_view> two{"a", "b"};
    CHECK(set.show(two).status == 105);
    CHECK(set.show_json(two).status == 105);
    CHECK(show({"nosuch"}) == "Unknown parameter \"nosuch\".");
    CHECK(json({"-j", "nosuch"}) == "Unknown parameter \"nosuch\".");
    CHECK(json({"-l"}) == "-l not permitted with param.show -j");
}

TEST_CASE_METHOD(fixture, "JSON has types, limits and flags", "[params]") {
    CHECK(json({"-j", "acceptor_sleep_max"})
              .find(",\n{\n  \"name\": \"acceptor_sleep_max\",\n  \"implemented\": true,\n"
                    "  \"value\": 0.050,\n  \"units\": \"seconds\",\n"
                    "  \"default\": \"0.050\",\n  \"minimum\": \"0.000\",\n"
                    "  \"maximum\": \"10.000\",\n  \"description\": ") == 0);
    CHECK(json({"-j", "auto_restart"}).find("\"value\": true,") != std::string::npos);
    CHECK(json({"-j", "accept_filter"}) == ",\n{\n  \"name\": \"accept_filter\",\n  \"implemented\": false\n}");
    CHECK(json({"-j", "vsl_space"}).find("\"value\": 83886080,") != std::string::npos);
    CHECK(json({"-j", "timeout_linger"}).find("\"flags\": [\n    \"experimental\"\n  ]\n}") != std::string::npos);
    CHECK(json({"-j", "max_esi_depth"}).find("\"flags\": []\n}") != std::string::npos);
}
