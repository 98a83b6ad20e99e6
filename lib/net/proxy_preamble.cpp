#include "net/proxy_preamble.hpp"

#include "net/proxy_parse.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/core.h>

namespace clearcoat::net {

namespace {

using namespace proxy;
using state = proxy_preamble::state;

constexpr std::size_t longest_line = 107;

proxy_preamble just(state result) {
    proxy_preamble made;
    made.result = result;
    return made;
}

proxy_preamble junk(std::string complaint) {
    proxy_preamble made;
    made.result = state::junk;
    made.complaint = std::move(complaint);
    return made;
}

std::optional<base::ip_address> numeric(std::string_view address, std::string_view port,
                                        base::ip_address::family kind) {
    std::uint16_t number = 0;
    auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
    if (error != std::errc() || end != port.data() + port.size()) {
        return std::nullopt;
    }
    auto parsed = base::parse_ip(address, number);
    return parsed && parsed->kind == kind ? parsed : std::nullopt;
}

/// Splits "PROXY f0 f1 f2 f3 f4"; the complaint when there are too few or too many.
const char* split(std::string_view line, std::array<std::string_view, 5>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::size_t blank = line.find(' ');
        if (blank == line.npos) {
            return "PROXY1: Too few fields";
        }
        line.remove_prefix(blank + 1);
        fields[i] = line.substr(0, line.find(' '));
    }
    return line.find(' ') == line.npos ? nullptr : "PROXY1: Too many fields";
}

proxy_preamble parse_v1_line(std::string_view line, std::size_t consumed) {
    std::array<std::string_view, 5> fields;
    if (const char* fault = split(line, fields)) {
        return junk(fault);
    }
    if (fields[0] != "TCP4" && fields[0] != "TCP6") {
        return junk("PROXY1: Wrong TCP[46] field");
    }
    const auto kind = fields[0] == "TCP4" ? base::ip_address::family::v4 : base::ip_address::family::v6;
    const auto client = numeric(fields[1], fields[3], kind);
    if (!client) {
        return junk("PROXY1: Cannot resolve source address");
    }
    const auto server = numeric(fields[2], fields[4], kind);
    if (!server) {
        return junk("PROXY1: Cannot resolve destination address");
    }
    proxy_preamble made = just(state::accepted);
    made.consumed = consumed;
    made.version = 1;
    made.has_addresses = true;
    made.client = *client;
    made.server = *server;
    made.record = fmt::format("1 {} {} {} {}", fields[1], fields[3], fields[2], fields[4]);
    return made;
}

proxy_preamble parse_v1(std::string_view bytes) {
    const std::size_t newline = bytes.find('\n');
    if (newline == bytes.npos ? bytes.size() > longest_line : newline > longest_line) {
        return just(state::overflow);
    }
    if (newline == bytes.npos) {
        return just(state::more);
    }
    const std::size_t end = bytes.find('\r');
    if (end == bytes.npos || end + 1 != newline) {
        return just(state::junk);
    }
    return parse_v1_line(bytes.substr(0, end), newline + 1);
}

bool begins_like(std::string_view bytes, std::string_view signature) noexcept {
    const std::size_t size = std::min(bytes.size(), signature.size());
    return bytes.substr(0, size) == signature.substr(0, size);
}

} // namespace

proxy_preamble parse_proxy_preamble(std::string_view bytes) {
    if (begins_like(bytes, signature_1)) {
        return bytes.size() <= signature_1.size() ? just(state::more) : parse_v1(bytes);
    }
    if (!begins_like(bytes, signature_2)) {
        return just(state::junk);
    }
    if (bytes.size() < 16) {
        return just(state::more);
    }
    const std::size_t payload = get16(bytes, 14);
    if (payload > proxy_payload_limit) {
        return just(state::overflow);
    }
    return bytes.size() < 16 + payload ? just(state::more) : parse_v2(bytes.substr(0, 16 + payload));
}

} // namespace clearcoat::net
