// Accepts on one inherited listening socket for one loop, in batches, and hands the sockets to a sink. The loops share
// a unix socket, which has no SO_REUSEPORT group: each accepts from it what it can get. When descriptors or memory run
// out it pauses instead of spinning. It does not own the listening socket.
#pragma once

#include "base/ip_address.hpp"
#include "net/loop.hpp"
#include "net/socket_stream.hpp"

namespace clearcoat::net {

struct accepted {
    int fd = -1;           // non-blocking, close-on-exec; the sink owns it
    base::ip_address peer; // base::bogus_ip for unix sockets
};

/// Why accept(2) failed, as the reference counts it (sess_fail_*).
enum class accept_failure : std::uint8_t { aborted, interrupted, no_files, no_memory, other };

class accept_sink {
  public:
    virtual void on_accept(const accepted& connection) noexcept = 0;
    virtual void on_accept_failure(accept_failure why, int error) noexcept = 0;
    virtual ~accept_sink() = default;
};

class acceptor final : private descriptor_watcher, private timer_entry {
  public:
    acceptor(loop& owner, int listen_fd, accept_sink& sink) noexcept
        : loop_(&owner), fd_(listen_fd), sink_(&sink), ready_(owner) {}
    ~acceptor() override { stop(); }

    /// Starts accepting; 0 or an errno.
    int start() noexcept;
    /// Accepts no more; what is queued in the kernel stays there.
    void stop() noexcept;
    bool running() const noexcept { return running_; }

    /// For connections accepted from now on: they inherit it from the listening socket. Nothing for unix sockets.
    void set_keepalive(const keepalive_settings& how) noexcept;
    /// How long to look away when descriptors or memory have run out.
    void set_shortage_pause(base::seconds pause) noexcept { shortage_pause_ = pause; }

  private:
    static constexpr int batch = 64;
    void on_events(std::uint32_t epoll_events) noexcept override;
    void expired() noexcept override;
    void accept_some() noexcept;
    bool accept_one() noexcept;
    void failed(int error) noexcept;
    void await_ready() noexcept;

    loop* loop_;
    int fd_;
    accept_sink* sink_;
    signal ready_;
    base::seconds shortage_pause_ = 0.050;
    keepalive_settings keepalive_;
    bool running_ = false;
};

} // namespace clearcoat::net
