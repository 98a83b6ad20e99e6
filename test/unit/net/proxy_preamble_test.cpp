#include "net/proxy_preamble.hpp"

#include <catch2/catch.hpp>

using namespace clearcoat;
using namespace std::string_literals;
using state = net::proxy_preamble::state;

namespace {

const base::ip_address client = *base::parse_ip("192.0.2.7", 4711);
const base::ip_address server = *base::parse_ip("198.51.100.1", 80);
const base::ip_address client6 = *base::parse_ip("2001:db8::7", 4711);
const base::ip_address server6 = *base::parse_ip("2001:db8::1", 443);
const std::string head_2 = "\r\n\r\n\0\r\nQUIT\n"s;

std::string v2(char command, char family, std::string payload) {
    return head_2 + command + family + static_cast<char>(payload.size() >> 8) +
           static_cast<char>(payload.size() & 0xff) + payload;
}

std::string addresses_4() {
    return "\xc0\x00\x02\x07\xc6\x33\x64\x01\x12\x67\x00\x50"s;
}

} // namespace

TEST_CASE("What we write we can read, whole and byte by byte") {
    for (unsigned version : {1u, 2u}) {
        for (bool six : {false, true}) {
            const auto& from = six ? client6 : client;
            const auto& to = six ? server6 : server;
            const std::string text = net::format_proxy_preamble(version, from, to);
            for (std::size_t size = 0; size < text.size(); ++size) {
                CHECK(net::parse_proxy_preamble(text.substr(0, size)).result == state::more);
            }
            const std::string input = text + "GET / HTTP/1.1\r\n";
            const auto parsed = net::parse_proxy_preamble(input);
            REQUIRE(parsed.result == state::accepted);
            CHECK(parsed.consumed == text.size());
            CHECK(parsed.version == version);
            CHECK(parsed.has_addresses);
            CHECK(parsed.client == from);
            CHECK(parsed.server == to);
            CHECK(parsed.complaint.empty());
        }
    }
    const std::string line = net::format_proxy_preamble(1, client, server);
    CHECK(line == "PROXY TCP4 192.0.2.7 198.51.100.1 4711 80\r\n");
    CHECK(net::parse_proxy_preamble(line).record == "1 192.0.2.7 4711 198.51.100.1 80");
}

TEST_CASE("Faulty version 1 lines") {
    const std::pair<const char*, const char*> cases[] = {
        {"PROXY TCP4 1.2.3.4\r\n", "PROXY1: Too few fields"},
        {"PROXY TCP4 1.2.3.4 1.2.3.4 1 2 3\r\n", "PROXY1: Too many fields"},
        {"PROXY TCP5 1.2.3.4 1.2.3.4 1 2\r\n", "PROXY1: Wrong TCP[46] field"},
        {"PROXY TCP6 1.2.3.4 ::1 1 2\r\n", "PROXY1: Cannot resolve source address"},
        {"PROXY TCP4 1.2.3.4 1.2.3.f 1 2\r\n", "PROXY1: Cannot resolve destination address"},
        {"PROXY TCP4 1.2.3.4 1.2.3.5 1 99999\r\n", "PROXY1: Cannot resolve destination address"},
        {"PROXY TCP4 1.2.3.4 1.2.3.5 1 2\n", ""},
    };
    for (const auto& [text, complaint] : cases) {
        const auto parsed = net::parse_proxy_preamble(text);
        INFO(text);
        CHECK(parsed.result == state::junk);
        CHECK(parsed.complaint == complaint);
    }
    CHECK(net::parse_proxy_preamble("PROXY " + std::string(200, 'x')).result == state::overflow);
    CHECK(net::parse_proxy_preamble("GET / HTTP/1.1\r\n").result == state::junk);
}

TEST_CASE("Version 2: commands, families and what is ignored") {
    auto parsed = net::parse_proxy_preamble(v2('\x20', '\0', ""));
    CHECK(parsed.result == state::accepted);
    CHECK(!parsed.has_addresses);
    CHECK(parsed.record == "2 local local local local");
    parsed = net::parse_proxy_preamble(v2('\x31', '\x11', addresses_4()));
    CHECK(parsed.complaint == "PROXY2: bad version (3)");
    parsed = net::parse_proxy_preamble(v2('\x22', '\x11', addresses_4()));
    CHECK(parsed.complaint == "PROXY2: bad command (2)");
    parsed = net::parse_proxy_preamble(v2('\x21', '\x00', addresses_4()));
    CHECK(parsed.result == state::accepted);
    CHECK(parsed.complaint == "PROXY2: Ignoring UNSPEC|UNSPEC addresses");
    parsed = net::parse_proxy_preamble(v2('\x21', '\x99', addresses_4()));
    CHECK(parsed.complaint == "PROXY2: Ignoring unsupported protocol (0x99)");
    parsed = net::parse_proxy_preamble(v2('\x21', '\x21', addresses_4()));
    CHECK(parsed.result == state::accepted);
    CHECK(parsed.complaint == "PROXY2: Ignoring short IPv6 addresses (12)");
    CHECK(net::parse_proxy_preamble(head_2 + "\x21\x11\x10\x00"s).result == state::overflow);
}

TEST_CASE("Version 2: extensions") {
    const std::string authority = "\x02\x00\x03"
                                  "a.b"s;
    const std::string ssl = "\x20\x00\x0a\x01\x00\x00\x00\x00\x22\x00\x02"
                            "cn"s;
    const std::string input = v2('\x21', '\x11', addresses_4() + authority + ssl);
    auto parsed = net::parse_proxy_preamble(input);
    REQUIRE(parsed.result == state::accepted);
    CHECK(parsed.record == "2 192.0.2.7 4711 198.51.100.1 80");
    CHECK(net::find_proxy_tlv(parsed.tlvs, 0x02) == "a.b");
    CHECK(net::find_proxy_tlv(parsed.tlvs, 0x22) == "cn");
    CHECK(net::find_proxy_tlv(parsed.tlvs, 0x55).data() == nullptr);

    parsed = net::parse_proxy_preamble(v2('\x21', '\x11', addresses_4() + "\x02\x00"s));
    CHECK(parsed.result == state::junk);
    CHECK(parsed.complaint == "PROXY2: TLV Dribble bytes");
    parsed = net::parse_proxy_preamble(v2('\x21', '\x11',
                                          addresses_4() + "\x02\x00\x09"
                                                          "a"s));
    CHECK(parsed.complaint == "PROXY2: TLV Length Error");
    parsed = net::parse_proxy_preamble(v2('\x21', '\x11',
                                          addresses_4() + "\x20\x00\x01"
                                                          "a"s));
    CHECK(parsed.complaint == "PROXY2: TLV Length Error");
    parsed = net::parse_proxy_preamble(v2('\x21', '\x11',
                                          addresses_4() + "\x03\x00\x04"
                                                          "abcd"s));
    CHECK(parsed.complaint == "PROXY2: CRC error");
}

TEST_CASE("Version 2 with an authority, and what probes send") {
    const std::string text = net::format_proxy_preamble(2, client, server, "example.com");
    const auto parsed = net::parse_proxy_preamble(text);
    CHECK(net::find_proxy_tlv(parsed.tlvs, 0x02) == "example.com");
    CHECK(net::format_probe_preamble(1, client, true) == "PROXY TCP4 192.0.2.7 192.0.2.7 4711 4711\r\n");
    CHECK(net::format_probe_preamble(1, base::bogus_ip, false) == "PROXY UNKNOWN\r\n");
    CHECK(net::parse_proxy_preamble(net::format_probe_preamble(2, client, true)).record == "2 local local local local");
}
