#include "cli/auth.hpp"

#include "base/ascii.hpp"
#include "base/sha256.hpp"

namespace clearcoat::cli {

std::string make_challenge(std::string_view random_bytes) {
    std::string out;
    for (const char byte : random_bytes.substr(0, challenge_size)) {
        out += static_cast<char>('a' + static_cast<unsigned char>(byte) % 26);
    }
    return out;
}

std::string auth_response(std::string_view challenge, std::string_view secret) {
    base::sha256 hash;
    hash.update(challenge);
    hash.update("\n");
    hash.update(secret);
    hash.update(challenge);
    hash.update("\n");
    return base::to_hex(hash.finish());
}

bool auth_matches(std::string_view challenge, std::string_view secret, std::string_view answer) noexcept {
    const std::string expected = auth_response(challenge, secret);
    if (answer.size() != expected.size()) {
        return false;
    }
    unsigned difference = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        difference |= static_cast<unsigned>(expected[i] ^ base::to_lower(answer[i]));
    }
    return difference == 0;
}

} // namespace clearcoat::cli
