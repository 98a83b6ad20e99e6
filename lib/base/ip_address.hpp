// An IP address with a port, or the place of a unix socket's peer, as VCL's IP type and ACLs use it. No system types:
// sys/ converts.
#pragma once

#include "base/result.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace clearcoat::base {

struct ip_address {
    enum class family : std::uint8_t { v4, v6 };
    family kind = family::v4;
    std::uint16_t port = 0;
    std::array<std::uint8_t, 16> bytes{}; // network order; v4 uses the first 4

    std::size_t size() const noexcept { return kind == family::v4 ? 4 : 16; }
    friend bool operator==(const ip_address&, const ip_address&) = default;
};

/// The bogus address that stands for "none": 0.0.0.0 port 0, as the reference prints for unix sockets.
constexpr ip_address bogus_ip{};

/// Numeric form only ("192.0.2.1", "::1"); no port, no names.
std::optional<ip_address> parse_ip(std::string_view text, std::uint16_t port = 0) noexcept;

/// The numeric form without brackets or port.
std::string to_string(const ip_address& address);

} // namespace clearcoat::base
