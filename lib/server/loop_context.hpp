// What the coroutines of one loop share.
#pragma once

namespace clearcoat::flow {
struct services;
}
namespace clearcoat::net {
class loop;
}

namespace clearcoat::server {

/// Owned by the loop's runner; outlives every session and fetch of the loop.
struct loop_context {
    net::loop& loop;
    flow::services& flow;
};

} // namespace clearcoat::server
