// A stage of a body on its way: bytes are pushed in, bytes come out into room the caller gives, so neither side knows
// the other and nothing blocks. A stage never produces more than there is room for: what it could not deliver yet comes
// with the next call (back pressure against compression bombs). Owned by one task. No I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace clearcoat::body {

enum class stage_state : std::uint8_t {
    want_input, // all input is used and all output delivered: push more
    want_room,  // `out` is full and there is more to come: call again with more room and the rest of the input
    done,       // the end: everything is delivered (only after `last`, or when the data says so)
    failed      // error() tells why
};

struct stage_step {
    std::size_t used = 0; // bytes of `in` consumed
    std::size_t made = 0; // bytes of `out` written
    stage_state state = stage_state::want_input;
};

class stage {
  public:
    virtual ~stage() = default;
    stage() = default;
    stage(const stage&) = delete;
    stage& operator=(const stage&) = delete;

    /// Pushes `in`; `last` says that nothing follows it (it may be empty, and `last` is repeated until the state is
    /// done). After want_room the rest of the same input is pushed again, at the same place in memory (more may follow
    /// it there). After done or failed it is not called again.
    virtual stage_step push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept = 0;

    /// Why it failed, in the words of the reference's FetchError record; empty otherwise.
    virtual std::string_view error() const noexcept = 0;

    /// The name VCL's filters have: "gzip", "gunzip", "testgunzip", "esi", "esi_gzip".
    virtual std::string_view name() const noexcept = 0;
};

} // namespace clearcoat::body
