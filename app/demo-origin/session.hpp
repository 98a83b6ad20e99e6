// Serves one client connection of the demo origin with Beast. One coroutine a connection.
#pragma once

#include "net/types.hpp"
#include "site.hpp"

#include <boost/asio/ip/tcp.hpp>

namespace demo {

namespace asio = boost::asio;
using socket = asio::basic_stream_socket<asio::ip::tcp, clearcoat::net::executor>;
using acceptor = asio::basic_socket_acceptor<asio::ip::tcp, clearcoat::net::executor>;

/// Accepts until the acceptor is closed; every connection serves `pages`, which outlives them.
clearcoat::net::task<> accept_all(acceptor& listener, site& pages);

} // namespace demo
