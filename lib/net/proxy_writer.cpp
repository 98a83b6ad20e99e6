#include "net/proxy_parse.hpp"

#include "base/panic.hpp"

#include <fmt/core.h>

namespace clearcoat::net {

namespace {

void put16(std::string& out, std::size_t value) {
    out += static_cast<char>(value >> 8 & 0xff);
    out += static_cast<char>(value & 0xff);
}

void put_address(std::string& out, const base::ip_address& address) {
    out.append(reinterpret_cast<const char*>(address.bytes.data()), address.size());
}

std::string format_v1(const base::ip_address& client, const base::ip_address& server) {
    return fmt::format("PROXY {} {} {} {} {}\r\n", client.kind == base::ip_address::family::v4 ? "TCP4" : "TCP6",
                       base::to_string(client), base::to_string(server), client.port, server.port);
}

std::string format_v2(const base::ip_address& client, const base::ip_address& server, std::string_view authority) {
    std::string out(proxy::signature_2);
    out += '\x21';
    out += client.kind == base::ip_address::family::v4 ? '\x11' : '\x21';
    put16(out, 2 * client.size() + 4 + (authority.empty() ? 0 : 3 + authority.size()));
    put_address(out, client);
    put_address(out, server);
    put16(out, client.port);
    put16(out, server.port);
    if (!authority.empty()) {
        out += static_cast<char>(proxy::tlv_authority);
        put16(out, authority.size());
        out += authority;
    }
    return out;
}

} // namespace

std::string format_proxy_preamble(unsigned version, const base::ip_address& client, const base::ip_address& server,
                                  std::string_view authority) {
    CLEARCOAT_ASSERT(version == 1 || version == 2);
    CLEARCOAT_ASSERT(client.kind == server.kind);
    return version == 1 ? format_v1(client, server) : format_v2(client, server, authority);
}

std::string format_probe_preamble(unsigned version, const base::ip_address& local, bool is_ip) {
    CLEARCOAT_ASSERT(version == 1 || version == 2);
    if (version == 1) {
        return is_ip ? format_v1(local, local) : "PROXY UNKNOWN\r\n";
    }
    std::string out(proxy::signature_2);
    out += '\x20';
    out.append(3, '\0');
    return out;
}

} // namespace clearcoat::net
