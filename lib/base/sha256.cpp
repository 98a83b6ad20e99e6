#define OPENSSL_SUPPRESS_DEPRECATED // the one-shot interface allocates; the cache's key must not
#include "base/sha256.hpp"

#include <new>

#include <openssl/sha.h>

namespace clearcoat::base {

namespace {

SHA256_CTX* context(std::array<std::byte, 112>& state) noexcept {
    return reinterpret_cast<SHA256_CTX*>(state.data());
}

} // namespace

sha256::sha256() noexcept : state_{} {
    static_assert(sizeof(SHA256_CTX) <= sizeof state_);
    SHA256_Init(new (state_.data()) SHA256_CTX);
}

void sha256::update(std::string_view part) noexcept {
    SHA256_Update(context(state_), part.data(), part.size());
}

digest sha256::finish() noexcept {
    digest value{};
    SHA256_Final(value.data(), context(state_));
    return value;
}

std::string to_hex(const digest& value) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    text.reserve(value.size() * 2);
    for (const std::uint8_t byte : value) {
        text.push_back(digits[byte >> 4]);
        text.push_back(digits[byte & 15]);
    }
    return text;
}

} // namespace clearcoat::base
