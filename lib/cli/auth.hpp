// The challenge and response that authenticate a management connection (varnish-cli(7)).
#pragma once

#include <string>
#include <string_view>

namespace clearcoat::cli {

inline constexpr std::size_t challenge_size = 32;

/// 32 letters, out of as many random bytes.
std::string make_challenge(std::string_view random_bytes);

/// What a client that knows `secret` (the file's whole content) answers: 64 hex digits.
std::string auth_response(std::string_view challenge, std::string_view secret);

/// Whether `answer` is that response; letters' case is not compared, the time does not tell where they differ.
bool auth_matches(std::string_view challenge, std::string_view secret, std::string_view answer) noexcept;

} // namespace clearcoat::cli
