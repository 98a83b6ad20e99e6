// Counts what operator new and aligned_alloc (Asio's source of frames and operations) are asked for on the calling
// thread. A program that uses it gets the counting functions with it. What Asio recycles is not counted again. In
// sanitized builds nothing is replaced and the counts stay zero.
#pragma once

#include <cstddef>

namespace clearcoat::test {

struct allocation_count {
    std::size_t calls = 0;
    std::size_t bytes = 0;
    std::size_t largest = 0; // bytes of the largest single request
};

/// The calling thread's counts since its start or the last reset.
allocation_count allocations() noexcept;
void reset_allocations() noexcept;

} // namespace clearcoat::test
