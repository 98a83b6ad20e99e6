#include "net/proxy_parse.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

namespace clearcoat::net {

namespace proxy {

namespace {

constexpr std::array<std::uint32_t, 256> make_crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t rest = i;
        for (int bit = 0; bit < 8; ++bit) {
            rest = (rest >> 1) ^ ((rest & 1) != 0 ? 0x82F63B78u : 0u); // Castagnoli, reflected
        }
        table[i] = rest;
    }
    return table;
}

constexpr auto crc_table = make_crc_table();

/// CRC32c of `bytes` with the four at `hole` counted as zero.
std::uint32_t crc32c_without(std::string_view bytes, std::size_t hole) noexcept {
    std::uint32_t crc = 0xffffffff;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const std::uint8_t byte = i >= hole && i < hole + 4 ? 0 : byte_at(bytes, i);
        crc = (crc >> 8) ^ crc_table[(crc ^ byte) & 0xff];
    }
    return crc ^ 0xffffffff;
}

bool crc_matches(std::string_view whole, std::string_view value) noexcept {
    if (value.size() != 4) {
        return false;
    }
    const auto told = static_cast<std::uint32_t>(get16(value, 0)) << 16 | get16(value, 2);
    return crc32c_without(whole, static_cast<std::size_t>(value.data() - whole.data())) == told;
}

/// The fault of the extensions; nullptr when they are in order.
const char* check_extensions(std::string_view whole, std::string_view extensions) {
    tlv_walk outer(extensions);
    while (outer.next()) {
        if (outer.type() == tlv_crc32c && !crc_matches(whole, outer.value())) {
            return "CRC error";
        }
        if (outer.type() != tlv_ssl) {
            continue;
        }
        if (outer.value().size() < ssl_head) {
            return "TLV Length Error";
        }
        tlv_walk inner(outer.value().substr(ssl_head));
        while (inner.next()) {
        }
        if (inner.fault() != nullptr) {
            return inner.fault();
        }
    }
    return outer.fault();
}

base::ip_address address_at(std::string_view whole, std::size_t at, std::size_t size, std::uint16_t port) {
    base::ip_address made;
    made.kind = size == 4 ? base::ip_address::family::v4 : base::ip_address::family::v6;
    made.port = port;
    std::copy_n(whole.data() + at, size, reinterpret_cast<char*>(made.bytes.data()));
    return made;
}

proxy_preamble accepted(std::string_view whole) {
    proxy_preamble made;
    made.result = proxy_preamble::state::accepted;
    made.consumed = whole.size();
    made.version = 2;
    return made;
}

proxy_preamble ignored(std::string_view whole, std::string why) {
    proxy_preamble made = accepted(whole);
    made.complaint = "PROXY2: Ignoring " + std::move(why);
    return made;
}

proxy_preamble refused(std::string complaint) {
    proxy_preamble made;
    made.result = proxy_preamble::state::junk;
    made.version = 2;
    made.complaint = "PROXY2: " + std::move(complaint);
    return made;
}

proxy_preamble parse_addresses(std::string_view whole, std::size_t size) {
    const std::size_t both = 2 * size + 4;
    const std::size_t payload = whole.size() - 16;
    if (payload < both) {
        return ignored(whole, fmt::format("short {} addresses ({})", size == 4 ? "IPv4" : "IPv6", payload));
    }
    proxy_preamble made = accepted(whole);
    made.has_addresses = true;
    made.client = address_at(whole, 16, size, get16(whole, 16 + 2 * size));
    made.server = address_at(whole, 16 + size, size, get16(whole, 18 + 2 * size));
    made.tlvs = whole.substr(16 + both);
    made.record = fmt::format("2 {} {} {} {}", base::to_string(made.client), made.client.port,
                              base::to_string(made.server), made.server.port);
    if (const char* fault = check_extensions(whole, made.tlvs)) {
        made.result = proxy_preamble::state::junk;
        made.consumed = 0;
        made.complaint = fmt::format("PROXY2: {}", fault);
    }
    return made;
}

} // namespace

bool tlv_walk::next() noexcept {
    if (rest_.empty() || fault_ != nullptr) {
        return false;
    }
    if (rest_.size() < 3) {
        fault_ = "TLV Dribble bytes";
        return false;
    }
    const std::size_t size = get16(rest_, 1);
    if (size + 3 > rest_.size()) {
        fault_ = "TLV Length Error";
        return false;
    }
    type_ = byte_at(rest_, 0);
    value_ = rest_.substr(3, size);
    rest_.remove_prefix(3 + size);
    return true;
}

proxy_preamble parse_v2(std::string_view whole) {
    const std::uint8_t version_and_command = byte_at(whole, 12);
    if (version_and_command >> 4 != 2) {
        return refused(fmt::format("bad version ({})", version_and_command >> 4));
    }
    if ((version_and_command & 0x0f) == 0) {
        proxy_preamble made = accepted(whole);
        made.record = "2 local local local local";
        return made;
    }
    if ((version_and_command & 0x0f) != 1) {
        return refused(fmt::format("bad command ({})", version_and_command & 0x0f));
    }
    switch (byte_at(whole, 13)) {
    case 0x00:
        return ignored(whole, "UNSPEC|UNSPEC addresses");
    case 0x11:
        return parse_addresses(whole, 4);
    case 0x21:
        return parse_addresses(whole, 16);
    default:
        return ignored(whole, fmt::format("unsupported protocol (0x{:02x})", byte_at(whole, 13)));
    }
}

} // namespace proxy

std::string_view find_proxy_tlv(std::string_view tlvs, std::uint8_t type) noexcept {
    proxy::tlv_walk outer(tlvs);
    while (outer.next()) {
        if (outer.type() == type) {
            return outer.value();
        }
        if (outer.type() != proxy::tlv_ssl || outer.value().size() < proxy::ssl_head) {
            continue;
        }
        proxy::tlv_walk inner(outer.value().substr(proxy::ssl_head));
        while (inner.next()) {
            if (inner.type() == type) {
                return inner.value();
            }
        }
    }
    return {};
}

} // namespace clearcoat::net
