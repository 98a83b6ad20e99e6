// Counts what operator new is asked for on the calling thread. A program that uses it gets the counting operators with
// it. Asio's recycled memory is not counted: it does not come from operator new again.
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
