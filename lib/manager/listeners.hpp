// The listening sockets: what -a says, bound before privileges drop and kept while workers come and go. For TCP there
// is one socket for each event loop in a SO_REUSEPORT group. A socket begins to listen in the worker; the manager binds
// anew when a worker is stopped for good, so that clients are refused instead of waiting.
#pragma once

#include "cli/worker_boot.hpp"
#include "sys/fd.hpp"
#include "sys/jail.hpp"
#include "sys/socket_address.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace clearcoat::manager {

/// Owner and mode of a unix socket; unset: as bind(2) makes it.
struct socket_permissions {
    std::optional<uid_t> uid;
    std::optional<gid_t> gid;
    std::optional<mode_t> mode;
};

/// One -a, read but not yet looked up.
struct listen_argument {
    std::string name; // empty: numbered later
    std::string endpoint;
    bool proxy = false;
    socket_permissions permissions;
};
/// Whether an endpoint names a unix socket: a path or "@name".
inline bool is_unix_endpoint(std::string_view endpoint) noexcept {
    return endpoint.starts_with('/') || endpoint.starts_with('@');
}
/// Throws option_error.
listen_argument parse_listen_argument(std::string_view text);
/// The TCP endpoints that one stands for: itself, or with a range of ports ("host:80-89") one for each of them. Throws
/// option_error where a range is none.
std::vector<std::string> each_port(const std::string& endpoint);

class listeners {
  public:
    /// `loops` sockets for each TCP address.
    listeners(const sys::jail& jail, unsigned loops) : jail_(jail), loops_(loops) {}

    /// Reads one -a and binds what it names. Throws option_error.
    void add(std::string_view argument);
    bool empty() const noexcept { return sockets_.empty(); }
    bool has_unix_socket() const noexcept;

    /// As the worker gets them, with the descriptors' numbers in this process.
    std::vector<cli::listen_socket> for_worker() const;
    /// Binds every socket anew; empty, or a line for each that failed ("Could not reopen listen socket ...").
    std::vector<std::string> reopen();

  private:
    struct socket {
        std::string name;
        std::string endpoint;
        sys::socket_address address;
        bool proxy = false;
        socket_permissions permissions;
        std::vector<sys::unique_fd> fds;
    };
    void add_address(const listen_argument& argument, const std::string& name, const sys::socket_address& address);
    /// 0 or errno.
    int open(socket& s) const;
    int open_tcp(socket& s) const;
    int open_unix(socket& s) const;

    const sys::jail& jail_;
    unsigned loops_;
    unsigned unnamed_ = 0;
    std::vector<socket> sockets_;
};

} // namespace clearcoat::manager
