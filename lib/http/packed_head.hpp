// A response head as an object keeps it: one flat block of bytes at any alignment, position independent, without
// pointers, that decodes to views without copying or scanning. Written once when the object is made, then read by any
// thread. Each line is followed by CR LF in the block, so that runs of fields are sent with one copy.
#pragma once

#include "http/head.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace clearcoat::http {

/// The bytes pack() needs for protocol, status, reason and the fields of `h` that a copy of kind `use` keeps.
std::size_t packed_size(const head& h, filter_use use) noexcept;
/// Writes the block to the first packed_size() bytes of `out`; the caller guarantees the room.
void pack(const head& h, filter_use use, std::span<std::byte> out) noexcept;

/// Reads a block that pack() wrote.
class packed_head_view {
  public:
    packed_head_view() noexcept = default;
    explicit packed_head_view(std::span<const std::byte> block) noexcept
        : at_(reinterpret_cast<const char*>(block.data())) {}

    unsigned status() const noexcept;
    unsigned field_count() const noexcept;
    std::string_view protocol() const noexcept;
    std::string_view reason() const noexcept;
    /// The value of the first field of that name; data() is nullptr when there is none.
    std::string_view get(field_name name) const noexcept;
    bool has(field_name name) const noexcept { return get(name).data() != nullptr; }
    /// The line of field `index`.
    field at(unsigned index) const noexcept;

    /// Calls `visit(const field&)` for each field in order.
    template<class F>
    void each(F&& visit) const {
        for (cursor c = begin(); c.left != 0;) {
            visit(next(c));
        }
    }

    /// Fills `out`, which was reset, with protocol, status, reason and fields as views into the block. Silent; call
    /// out.report(). False when `out` may not hold so many fields (the reference logs Error "Too many headers to Decode
    /// object (%u vs. %u)" and fails the delivery).
    bool decode(head& out) const noexcept;

    /// The reference's merge after a 304: `to`, the new head, takes protocol, status and reason of the block and each
    /// field whose name it did not have. The listener hears of all that. False when some were lost.
    bool merge_into(head& to) const noexcept;

  private:
    struct cursor {
        const char* entry;
        const char* text;
        unsigned left;
    };
    cursor begin() const noexcept;
    static field next(cursor& c) noexcept;

    const char* at_ = nullptr;
};

} // namespace clearcoat::http
