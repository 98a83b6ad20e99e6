// Runs a fetch machine over a backend connection: one coroutine a fetch, on the session's loop. It performs what the
// machine decides and decides nothing itself.
#pragma once

#include "base/log.hpp"
#include "flow/fetch_request.hpp"
#include "server/loop_context.hpp"

namespace clearcoat::server {

class client_body;

/// Starts a fetch. The number of its transaction, for the client's Link record; Begin is written already. `body` must
/// be given for a request_body of length or chunked and lives until its done() was called. The client learns what comes
/// of it through the object: watch() for streaming, finished or failed. When the loop stops the object fails.
base::vxid_number spawn_fetch(loop_context& context, flow::fetch_request&& request, client_body* body);

} // namespace clearcoat::server
