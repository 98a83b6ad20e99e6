// PROXY preambles as blobs, for scripts that play the proxy.
#include "vmod/vtc/functions.hpp"

#include <cstring>
#include <string>

#include <fmt/core.h>

namespace clearcoat::vmod::vtc {

namespace {

constexpr std::uint32_t header_blob_kind = 0xc8f34f78;

bool is_v6(const base::ip_address& a) noexcept {
    return a.kind == base::ip_address::family::v6;
}

std::string version_1(const base::ip_address& from, const base::ip_address& to) {
    return fmt::format("PROXY TCP{} {} {} {} {}\r\n", is_v6(from) ? 6 : 4, base::to_string(from), base::to_string(to),
                       from.port, to.port);
}

void put_16(std::string& to, std::size_t number) {
    to += static_cast<char>(number >> 8);
    to += static_cast<char>(number & 0xff);
}

void put_address(std::string& to, const base::ip_address& a) {
    to.append(reinterpret_cast<const char*>(a.bytes.data()), a.size());
}

std::string version_2(const base::ip_address& from, const base::ip_address& to, std::string_view authority) {
    constexpr char signature[] = "\r\n\r\n\0\r\nQUIT\n";
    constexpr char authority_type = 0x02;
    std::string text(signature, sizeof signature - 1);
    text += '\x21'; // version 2, PROXY
    text += is_v6(from) ? '\x21' : '\x11';
    const std::size_t tlv = authority.empty() ? 0 : 3 + authority.size();
    put_16(text, 2 * from.size() + 4 + tlv);
    put_address(text, from);
    put_address(text, to);
    put_16(text, from.port);
    put_16(text, to.port);
    if (tlv > 0) {
        text += authority_type;
        put_16(text, authority.size());
        text += authority;
    }
    return text;
}

} // namespace

// proxy_header(ENUM {v1, v2} version, IP client, IP server, STRING authority=0)
vcl::value proxy_header(vcl::call& c, arguments args) {
    if (args[1].ip == nullptr || args[2].ip == nullptr || args[1].ip->kind != args[2].ip->kind) {
        c.fail("proxy_header: client and server need addresses of one kind");
        return no_value();
    }
    const std::string text = args[0].string() == "v1" ? version_1(*args[1].ip, *args[2].ip)
                                                      : version_2(*args[1].ip, *args[2].ip, args[3].string());
    const std::string_view kept = c.workspace().copy(text);
    auto* blob = c.workspace().make<vcl::blob>();
    if (kept.data() == nullptr || blob == nullptr) {
        c.fail("proxy_header: out of workspace");
        return no_value();
    }
    blob->kind = header_blob_kind;
    blob->bytes = std::as_bytes(std::span(kept));
    return vcl::value::of(static_cast<const vcl::blob*>(blob));
}

} // namespace clearcoat::vmod::vtc
