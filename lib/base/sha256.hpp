// SHA-256 (libcrypto): the cache's key and the management challenge's response.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace clearcoat::base {

using digest = std::array<std::uint8_t, 32>;

/// Hashes text given in parts. Copyable by assignment of parts only: make a new one for each digest.
class sha256 {
  public:
    sha256() noexcept;
    void update(std::string_view part) noexcept;
    digest finish() noexcept;

  private:
    alignas(8) std::array<std::byte, 112> state_; // SHA256_CTX, kept out of the header
};

/// 64 lower-case hex digits.
std::string to_hex(const digest& value);

} // namespace clearcoat::base
