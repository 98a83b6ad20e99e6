// The fetch's pen: puts a body into an object's segments and tells readers. One writer an object, used by one task at a
// time; it takes no shard lock but to make room and at the end.
#pragma once

#include "cache/index.hpp"
#include "cache/object.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace clearcoat::cache {

class body_writer {
  public:
    /// `o` was given its storage by index::prepare().
    body_writer(index& cache, object_ref o) noexcept;
    /// A writer that goes away before finish() fails the object.
    ~body_writer();
    body_writer(const body_writer&) = delete;
    body_writer& operator=(const body_writer&) = delete;

    /// Room to write into, not yet seen by readers: what is left of the last segment, or a new one. `hint` is how much
    /// is still to come, 0 when unknown (then fetch_chunksize). Empty when the storage has no room even after evicting
    /// nuke_limit others: fail the fetch.
    std::span<char> reserve(std::size_t hint) noexcept;
    /// Publishes the first `size` bytes of what reserve() gave, and wakes readers.
    void commit(std::size_t size) noexcept;
    /// Copies `data` in; false when there is no room.
    bool append(std::string_view data) noexcept;
    /// All is there: gives surplus room back, makes the state finished, lets the object join the LRU.
    /// `now` in seconds, real.
    void finish(double now) noexcept;
    /// Ends without a word to the object, which is withdrawn next (see index::withdraw()).
    void drop() noexcept { ended_ = true; }
    /// Never complete: index::abandon().
    void fail() noexcept;

    std::uint64_t written() const noexcept { return written_; }
    object& target() const noexcept { return *object_; }

  private:
    bool add_segment(std::size_t hint) noexcept;
    void trim() noexcept;

    index& cache_;
    object_ref object_;
    std::uint64_t written_ = 0;
    unsigned nukes_left_;
    bool ended_ = false;
};

} // namespace clearcoat::cache
