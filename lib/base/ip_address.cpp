#include "base/ip_address.hpp"

#include <cstring>

#include <arpa/inet.h>

namespace clearcoat::base {

std::optional<ip_address> parse_ip(std::string_view text, std::uint16_t port) noexcept {
    char name[INET6_ADDRSTRLEN];
    if (text.empty() || text.size() >= sizeof name) {
        return std::nullopt;
    }
    std::memcpy(name, text.data(), text.size());
    name[text.size()] = '\0';
    ip_address address;
    address.port = port;
    if (::inet_pton(AF_INET, name, address.bytes.data()) == 1) {
        return address;
    }
    if (::inet_pton(AF_INET6, name, address.bytes.data()) == 1) {
        address.kind = ip_address::family::v6;
        return address;
    }
    return std::nullopt;
}

std::string to_string(const ip_address& address) {
    char name[INET6_ADDRSTRLEN];
    const int family = address.kind == ip_address::family::v4 ? AF_INET : AF_INET6;
    return ::inet_ntop(family, address.bytes.data(), name, sizeof name);
}

} // namespace clearcoat::base
