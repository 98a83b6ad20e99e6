#include "vcl/vm/text_formats.hpp"

#include <algorithm>
#include <cstring>

#include <arpa/inet.h>

namespace clearcoat::vcl {

std::size_t format_ip(const base::ip_address& address, char* into) noexcept {
    bool v4 = address.kind == base::ip_address::family::v4;
    if (inet_ntop(v4 ? AF_INET : AF_INET6, address.bytes.data(), into, INET6_ADDRSTRLEN) == nullptr) {
        return 0;
    }
    return std::strlen(into);
}

void format_blob(std::span<const std::byte> bytes, char* into) noexcept {
    constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    *into++ = ':';
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t group = 0;
        std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
        for (std::size_t j = 0; j < 3; ++j) {
            group = group << 8 | (j < have ? std::to_integer<std::uint32_t>(bytes[i + j]) : 0);
        }
        for (std::size_t j = 0; j < 4; ++j) {
            *into++ = j <= have ? alphabet[group >> (18 - 6 * j) & 63] : '=';
        }
    }
    *into++ = ':';
    *into = '\0';
}

} // namespace clearcoat::vcl
