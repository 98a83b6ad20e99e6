// A reader's place in a body, complete or still growing. Hands out the segments themselves (nothing is copied); they
// stay valid as long as the cursor lives, or, in a consuming cursor, until advance() has passed them. Used by one task
// at a time; takes no lock but to wait.
#pragma once

#include "cache/object.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace clearcoat::cache {

enum class cursor_status : std::uint8_t {
    data,    // bytes are there
    pending, // none yet, more will come; the waiter, when given, was registered
    end,     // all was read
    failed   // the fetch failed (bytes before the failure were handed out before)
};

struct cursor_read {
    cursor_status status = cursor_status::pending;
    std::size_t count = 0; // spans filled
    std::size_t bytes = 0; // in them
    bool last = false;     // with data: these bytes end the body
};

class body_cursor {
  public:
    enum class mode : std::uint8_t {
        keep,   // leave the body as it is
        consume // the only reader of a private object: memory is freed behind it
    };
    explicit body_cursor(object_ref o, mode how = mode::keep) noexcept;
    ~body_cursor();
    body_cursor(const body_cursor&) = delete;
    body_cursor& operator=(const body_cursor&) = delete;

    /// Fills `out` with what can be read at the present position, up to `limit` bytes, without moving. When that is
    /// nothing and more is to come, `w` is registered with the object (see object::unwatch()) and the status is
    /// pending.
    cursor_read peek(std::span<std::span<const char>> out, waiter* w = nullptr,
                     std::uint64_t limit = UINT64_MAX) noexcept;
    /// Moves on by `bytes`, at most what peek() showed.
    void advance(std::uint64_t bytes) noexcept;
    /// Moves to `offset` (only forwards). False when the body does not reach so far yet: peek() with a waiter, then
    /// again; past the end of a finished body the next peek() says end.
    bool skip_to(std::uint64_t offset) noexcept;

    std::uint64_t position() const noexcept { return position_; }
    object& source() const noexcept { return *object_; }

  private:
    bool settle() noexcept;
    void leave(body_segment* segment) noexcept;

    object_ref object_;
    body_segment* segment_ = nullptr; // the one that holds position_, once there is one
    std::uint64_t position_ = 0;
    mode mode_;
    bool counted_ = false; // among the object's streamers
};

} // namespace clearcoat::cache
