// Random numbers that are no secret, and that a test can repeat: the process's one additive-feedback generator of the
// BSDs (degree 31, distance 3), which gives the reference's numbers for the reference's seeds. Thread-safe. Not for
// anything an attacker may not guess.
#pragma once

#include <cstdint>

namespace clearcoat::base {

/// Begins the sequence of that seed (CLI debug.srandom).
void seed_testable_random(std::uint32_t seed) noexcept;
/// 0 to 2^31 - 1.
std::uint32_t testable_random() noexcept;
/// 0 <= x < 1, with 62 bits; takes two numbers of the sequence.
double testable_random_real() noexcept;

} // namespace clearcoat::base
