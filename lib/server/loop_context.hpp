// What the coroutines of one loop share.
#pragma once

#include "server/slot_pool.hpp"

namespace clearcoat::flow {
struct services;
class vcl_source;
} // namespace clearcoat::flow
namespace clearcoat::net {
class loop;
}

namespace clearcoat::server {

/// Owned by the loop's runner; outlives every session and fetch of the loop.
struct loop_context {
    net::loop& loop;
    flow::services& flow;
    flow::vcl_source& vcls;
    slot_pool& sessions; // memory of h1_session::memory_size bytes
    slot_pool& requests; // memory of h1_request::memory_size bytes
};

} // namespace clearcoat::server
