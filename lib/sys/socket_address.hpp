// Socket addresses: IPv4, IPv6 and unix (with "@name" for Linux's abstract ones), name resolution and the texts that
// logs and messages print. Resolution blocks: never call it on an event loop.
#pragma once

#include "base/ip_address.hpp"
#include "sys/fd.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <sys/socket.h>

namespace clearcoat::sys {

class socket_address {
  public:
    socket_address() = default;
    socket_address(const sockaddr* address, socklen_t size) noexcept;
    explicit socket_address(const base::ip_address& address) noexcept;
    /// A path, or "@name" for an abstract socket; valid() is false when it is too long.
    static socket_address unix_path(std::string_view path) noexcept;
    /// This end and the other end of a socket; invalid on failure.
    static socket_address local_of(int fd) noexcept;
    static socket_address peer_of(int fd) noexcept;

    bool valid() const noexcept { return size_ != 0; }
    int family() const noexcept { return storage_.ss_family; }
    bool is_ip() const noexcept { return family() == AF_INET || family() == AF_INET6; }
    bool is_unix() const noexcept { return family() == AF_UNIX; }
    const sockaddr* data() const noexcept { return reinterpret_cast<const sockaddr*>(&storage_); }
    socklen_t size() const noexcept { return size_; }

    /// The IP address; base::bogus_ip for unix sockets.
    base::ip_address ip() const noexcept;
    std::uint16_t port() const noexcept;
    void set_port(std::uint16_t port) noexcept;
    /// Numeric host ("127.0.0.1", "::1"), "0.0.0.0" for unix sockets; and the port as text.
    std::string host_text() const;
    std::string port_text() const;
    /// "127.0.0.1:80", "[::1]:80", or the unix path.
    std::string endpoint() const;

    friend bool operator==(const socket_address& a, const socket_address& b) noexcept;

  private:
    sockaddr_storage storage_{};
    socklen_t size_ = 0;
};

/// What a host[:port] text resolves to.
struct resolved {
    std::vector<socket_address> addresses;
    std::string error; // the resolver's own words; empty when it went well
};

/// Splits "host", "host:port", "host port", "[v6]:port", ":port"; the parts are empty where missing. False with
/// `error` set when it is malformed.
bool split_endpoint(std::string_view spec, std::string& host, std::string& port, std::string& error);

/// Looks `spec` up for stream sockets, with `default_port` where it has none (empty: port 0). An empty host gives the
/// wildcard addresses where `passive`.
resolved resolve(std::string_view spec, std::string_view default_port, bool passive = true);

/// All addresses of a host, with the port of `service` (number or name), without repetitions, in the resolver's order.
/// Empty with `error` set when there is none.
std::vector<base::ip_address> resolve_host(const std::string& host, const std::string& service, std::string& error);

/// A listening candidate: bound, not listening. `share` sets SO_REUSEPORT. Unix paths are unlinked first. Empty with
/// errno set on failure.
unique_fd bind_stream(const socket_address& address, bool share) noexcept;

/// Starts a non-blocking connection; empty with errno set when it fails at once. finish_connect() gives 0 or errno.
unique_fd start_connect(const socket_address& address) noexcept;
int finish_connect(int fd) noexcept;

} // namespace clearcoat::sys
