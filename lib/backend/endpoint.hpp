// Where backends connect to, and the idle connections there. Backends of any loaded VCL with the same addresses share
// one endpoint, as the reference's connection pools do. Each loop has its own list of idle connections, touched by that
// loop only: a loop that has none asks another one by mail (see borrow() in pool.cpp); the holddown after a failed
// connect is shared and atomic.
#pragma once

#include "base/clock.hpp"
#include "base/intrusive_list.hpp"
#include "base/ip_address.hpp"
#include "net/socket_stream.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace clearcoat::backend {

struct endpoint_address {
    std::optional<base::ip_address> ipv4;
    std::optional<base::ip_address> ipv6;
    std::string path;     // unix socket; then the others are unset
    std::string preamble; // sent first on every new connection (.via)

    std::string key() const;
};

class idle_pool;

/// A connection to an endpoint, in use or idle. Lives on one loop.
class pooled_connection final : public base::list_hook<> {
  public:
    explicit pooled_connection(net::loop& home) noexcept : stream(home) {}
    net::socket_stream stream;
    base::seconds idle_until = 0; // while idle: when it is closed (the loop's monotonic clock)
    base::ip_address remote;      // the address that was connected to; base::bogus_ip for unix sockets
};

class endpoint {
  public:
    static constexpr unsigned max_loops = 256;
    /// Which loops have idle connections, for the others; nullptr where there are none.
    using holder_table = std::array<std::atomic<net::loop*>, max_loops>;

    explicit endpoint(endpoint_address address);
    /// Sends each loop a letter to close its idle connections. Nobody may hold a lease any more.
    ~endpoint();
    endpoint(const endpoint&) = delete;
    endpoint& operator=(const endpoint&) = delete;

    const endpoint_address& address() const noexcept { return address_; }

    // A loop's thread.
    /// The idle connection used last; nullptr when there is none.
    std::unique_ptr<pooled_connection> take_idle(net::loop& home) noexcept;
    /// Keeps an idle connection for at most `timeout`; closes it at once when it has hung up.
    void give_idle(std::unique_ptr<pooled_connection> connection, base::seconds timeout) noexcept;
    std::size_t idle_count(net::loop& home) const noexcept;
    /// Another loop that has idle connections, as far as can be seen from here; nullptr when none has.
    net::loop* other_holder(const net::loop& home) const noexcept;

    // Any thread.
    /// The errno of the failure that forbids new connections now; 0 when they are allowed.
    int held_down(base::seconds now) noexcept;
    void hold_down(base::seconds until, int error) noexcept;

  private:
    endpoint_address address_;
    std::atomic<base::seconds> held_until_{0};
    std::atomic<int> held_error_{0};
    std::array<std::unique_ptr<idle_pool>, max_loops> pools_; // each element belongs to its loop
    std::shared_ptr<holder_table> holders_;
};

/// All endpoints in use, by address. Control thread and whoever drops a backend.
class endpoint_table {
  public:
    std::shared_ptr<endpoint> find_or_add(const endpoint_address& address);

  private:
    std::mutex mutex_;
    std::unordered_map<std::string, std::weak_ptr<endpoint>> endpoints_; // guarded by mutex_
};

} // namespace clearcoat::backend
