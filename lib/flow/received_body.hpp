// The state of a client's request body: how it is framed, and whether it was read, taken by a fetch, or kept in memory.
// Belongs to the request; the fetch that sends it on reads it through the session.
#pragma once

#include "cache/object.hpp"
#include "http/h1/framing.hpp"

#include <cstdint>

namespace clearcoat::flow {

struct received_body {
    enum class state : std::uint8_t {
        none,   // the request has none
        unread, // on the wire
        taken,  // was read from the wire, and is gone
        cached, // in `kept`
        failed  // reading it failed: the connection cannot be used again
    };
    state now = state::none;
    http::h1::framing framing;
    cache::object_ref kept;   // a finished private object
    std::uint64_t length = 0; // of `kept`
};

} // namespace clearcoat::flow
