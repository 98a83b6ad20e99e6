#include "backend/pool.hpp"

#include <array>
#include <cerrno>

namespace clearcoat::backend {

namespace {

/// For how long a failure forbids further attempts; 0: not at all.
base::seconds holddown_of(int error, const tables::param_block& params) noexcept {
    switch (error) {
    case EACCES:
    case EPERM:
    case EADDRNOTAVAIL:
        return params.backend_local_error_holddown();
    case ECONNREFUSED:
    case ENETUNREACH:
        return params.backend_remote_error_holddown();
    default:
        return 0;
    }
}

net::task<net::io_result> connect_one(pooled_connection& connection, const std::optional<base::ip_address>& to,
                                      base::seconds timeout) {
    const base::seconds deadline = connection.stream.home().deadline_in(timeout);
    net::io_result result = co_await connection.stream.connect(*to, deadline);
    if (result.ok()) {
        connection.remote = *to;
        net::set_no_delay(connection.stream.descriptor(), true);
    }
    co_return result;
}

net::task<net::io_result> connect_ip(const endpoint_address& where, pooled_connection& connection, bool prefer_ipv6,
                                     base::seconds timeout) {
    const auto& first = prefer_ipv6 ? where.ipv6 : where.ipv4;
    const auto& second = prefer_ipv6 ? where.ipv4 : where.ipv6;
    net::io_result result;
    result.status = net::io_status::failed;
    if (first) {
        result = co_await connect_one(connection, first, timeout);
    }
    if (second && !result.ok() && result.status != net::io_status::cancelled) {
        result = co_await connect_one(connection, second, timeout);
    }
    co_return result;
}

net::task<net::io_result> send_preamble(pooled_connection& connection, std::string_view preamble,
                                        base::seconds timeout) {
    std::array<::iovec, 1> pieces;
    pieces[0] = net::piece(preamble);
    const base::seconds deadline = connection.stream.home().deadline_in(timeout);
    net::io_result result = co_await connection.stream.write_all(pieces, deadline);
    co_return result;
}

} // namespace

net::task<dial_outcome> dial(endpoint& where, pooled_connection& connection, const tables::param_block& params,
                             base::seconds timeout) {
    net::loop& home = connection.stream.home();
    dial_outcome outcome;
    if (where.held_down(home.now()) != 0) {
        co_return outcome;
    }
    const endpoint_address& address = where.address();
    net::io_result result;
    if (!address.path.empty()) {
        result = co_await connection.stream.connect(address.path, home.deadline_in(timeout));
    } else {
        result = co_await connect_ip(address, connection, params.prefer_ipv6(), timeout);
    }
    if (result.ok() && !address.preamble.empty()) {
        result = co_await send_preamble(connection, address.preamble, timeout);
    }
    outcome.connected = result.ok();
    outcome.cancelled = result.status == net::io_status::cancelled;
    outcome.error = result.ok() ? 0 : result.error != 0 ? result.error : ETIMEDOUT;
    const base::seconds holddown = outcome.connected ? 0 : holddown_of(outcome.error, params);
    if (holddown > 0) {
        where.hold_down(home.now() + holddown, outcome.error);
    }
    co_return outcome;
}

} // namespace clearcoat::backend
