// A piece of a body: this header followed by the bytes, in one block of the object's storage. Everything but `next` is
// constant once the segment is linked.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace clearcoat::cache {

struct body_segment {
    std::atomic<body_segment*> next{nullptr};
    std::uint64_t offset;   // of its first byte in the body
    std::size_t capacity;   // bytes of body it can take
    std::size_t block_size; // what the storage gave

    char* data() noexcept { return reinterpret_cast<char*>(this + 1); }
    std::uint64_t end() const noexcept { return offset + capacity; }
};

static_assert(sizeof(body_segment) == 32);

} // namespace clearcoat::cache
