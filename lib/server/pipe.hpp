// Carries bytes both ways between a client and a backend after return (pipe), until one side is silent for pipe_timeout
// or both have ended. Runs inside the session's coroutine.
#pragma once

#include "cache/object.hpp"
#include "flow/pipe_exchange.hpp"
#include "net/stream.hpp"
#include "server/loop_context.hpp"
#include "tables/close_reasons.hpp"

#include <string_view>

namespace clearcoat::backend {
class acquire_attempt;
}

namespace clearcoat::server {

struct pipe_ends {
    net::stream* client = nullptr;
    std::string_view already_read;               // what the client sent behind the request's head
    cache::object_ref cached_body;               // the request's body when it was read before; may be empty
    backend::acquire_attempt* attempt = nullptr; // by which connecting is cancelled
};

/// Connects, sends the backend request of `exchange` and carries. Writes all records of the pipe, PipeAcct included.
/// Why the session closes afterwards: TX_PIPE, or TX_ERROR when there was no backend.
net::task<tables::close_reason> run_pipe(loop_context& context, flow::pipe_exchange& exchange, pipe_ends ends);

} // namespace clearcoat::server
