// Runs a fetch machine over a backend connection: one coroutine a fetch, on the session's loop. It performs what the
// machine decides and decides nothing itself.
#pragma once

#include "base/log.hpp"
#include "flow/fetch_request.hpp"
#include "server/loop_context.hpp"

namespace clearcoat::server {

class client_body;

/// Starts a fetch; `parent_log` gets the Link record before anything else of it happens. `body` must
/// be given for a request_body of length or chunked and lives until its done() was called. The client learns what comes
/// of it through the object: watch() for streaming, finished or failed. When the loop stops the object fails.
void spawn_fetch(loop_context& context, flow::fetch_request&& request, client_body* body, base::log_writer& parent_log);

} // namespace clearcoat::server
