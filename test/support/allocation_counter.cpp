#include "support/allocation_counter.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#ifndef CLEARCOAT_SANITIZED
extern "C" void* __libc_memalign(std::size_t alignment, std::size_t size); // glibc's own, behind aligned_alloc
#endif

namespace {

thread_local clearcoat::test::allocation_count counted;

#ifndef CLEARCOAT_SANITIZED
void count(std::size_t size) {
    ++counted.calls;
    counted.bytes += size;
    counted.largest = std::max(counted.largest, size);
}

void* counting_new(std::size_t size, std::size_t alignment) {
    count(size);
    void* place = nullptr;
    if (alignment > alignof(std::max_align_t)) {
        place = __libc_memalign(alignment, (size + alignment - 1) / alignment * alignment);
    } else {
        place = std::malloc(size == 0 ? 1 : size);
    }
    if (place == nullptr) {
        throw std::bad_alloc();
    }
    return place;
}
#endif

} // namespace

namespace clearcoat::test {

allocation_count allocations() noexcept {
    return counted;
}

void reset_allocations() noexcept {
    counted = {};
}

} // namespace clearcoat::test

#ifndef CLEARCOAT_SANITIZED
// Asio takes the memory it recycles from here and not from operator new.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
    count(size);
    return __libc_memalign(alignment, size);
}

void* operator new(std::size_t size) {
    return counting_new(size, 0);
}
void* operator new[](std::size_t size) {
    return counting_new(size, 0);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return counting_new(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return counting_new(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* place) noexcept {
    std::free(place);
}
void operator delete[](void* place) noexcept {
    std::free(place);
}
void operator delete(void* place, std::size_t) noexcept {
    std::free(place);
}
void operator delete[](void* place, std::size_t) noexcept {
    std::free(place);
}
void operator delete(void* place, std::align_val_t) noexcept {
    std::free(place);
}
void operator delete[](void* place, std::align_val_t) noexcept {
    std::free(place);
}
void operator delete(void* place, std::size_t, std::align_val_t) noexcept {
    std::free(place);
}
void operator delete[](void* place, std::size_t, std::align_val_t) noexcept {
    std::free(place);
}
#endif
