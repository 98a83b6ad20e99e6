// The waits of a client's request that have nothing to do with its connection: for a busy key, and for the head of what
// is fetched. A request that came from the wire and one that a page includes wait alike.
#pragma once

#include "flow/request.hpp"
#include "net/mail.hpp"
#include "net/types.hpp"
#include "server/cache_waiter.hpp"

namespace clearcoat::server {

/// Until `waiting`, which the lookup registered, is called or `waker` is cancelled. It is on no list afterwards.
net::task<> wait_for_key(flow::request& txn, net::waker& waker, cache_waiter& waiting);
/// Until txn.object streams, is finished or failed, or `waker` is cancelled.
net::task<> wait_for_head(flow::request& txn, net::waker& waker, cache_waiter& waiting);

} // namespace clearcoat::server
