// The project's one Asio vocabulary. Everything that waits is a `task`, runs on one loop's thread and is spawned once a
// connection or once a fetch, never once a request. Only net/, backend/, server/, worker/ and manager/ include this.
#pragma once

#include "base/clock.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>

#include <limits>

namespace clearcoat::net {

namespace asio = boost::asio;

using executor = asio::io_context::executor_type;

template<class T = void>
using task = asio::awaitable<T, executor>;

/// Completion token for Asio's own operations: `auto [ec, n] = co_await s.async_read_some(b, io);`
inline constexpr asio::as_tuple_t<asio::deferred_t> io{asio::deferred};

/// Deadlines are points on the loop's monotonic clock (loop::now()).
inline constexpr base::seconds no_deadline = std::numeric_limits<base::seconds>::infinity();

} // namespace clearcoat::net
