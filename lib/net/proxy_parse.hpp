// What the files of the PROXY parser share; nobody else includes it.
#pragma once

#include "net/proxy_preamble.hpp"

namespace clearcoat::net::proxy {

using namespace std::string_view_literals;

inline constexpr std::string_view signature_1 = "PROXY"sv;
inline constexpr std::string_view signature_2 = "\r\n\r\n\0\r\nQUIT\n"sv;

inline constexpr std::uint8_t tlv_authority = 0x02;
inline constexpr std::uint8_t tlv_crc32c = 0x03;
inline constexpr std::uint8_t tlv_ssl = 0x20;
inline constexpr std::size_t ssl_head = 5; // client flags and verify result in front of the SSL extension's own

inline std::uint8_t byte_at(std::string_view bytes, std::size_t i) noexcept {
    return static_cast<std::uint8_t>(bytes[i]);
}
inline std::uint16_t get16(std::string_view bytes, std::size_t i) noexcept {
    return static_cast<std::uint16_t>(byte_at(bytes, i) << 8 | byte_at(bytes, i + 1));
}

/// A walk over extensions: next() until false; fault() tells why it ended early ("Dribble bytes", "Length Error").
class tlv_walk {
  public:
    explicit tlv_walk(std::string_view bytes) noexcept : rest_(bytes) {}
    bool next() noexcept;
    std::uint8_t type() const noexcept { return type_; }
    std::string_view value() const noexcept { return value_; }
    const char* fault() const noexcept { return fault_; }

  private:
    std::string_view rest_;
    std::string_view value_;
    std::uint8_t type_ = 0;
    const char* fault_ = nullptr;
};

/// `whole` is a complete version 2 preamble.
proxy_preamble parse_v2(std::string_view whole);

} // namespace clearcoat::net::proxy
