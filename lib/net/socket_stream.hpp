// A plain TCP or unix socket as a stream, and how to connect one. It owns the descriptor. Readiness is remembered from
// the loop's edge-triggered events: a read that came back short proves that the socket is drained, so the wait that
// follows costs no system call; an end of file behind the data is known from EPOLLRDHUP.
#pragma once

#include "net/loop.hpp"
#include "net/stream.hpp"

#include <string_view>

namespace clearcoat::sys {
class socket_address;
}

namespace clearcoat::net {

class socket_stream final : public stream, private descriptor_watcher {
  public:
    /// Not open yet.
    explicit socket_stream(loop& owner) noexcept : stream(owner) {}
    ~socket_stream() override { close(); }

    /// Takes over a connected, non-blocking socket and watches it. On failure (errno returned) `fd` is closed.
    int adopt(int fd) noexcept;
    int adopt(int fd, const base::ip_address& peer) noexcept;

    /// Gives the descriptor away, still connected, to be adopted on another loop; -1 when there is none. Nobody may be
    /// waiting.
    int release() noexcept;

    /// Connects to an address; `bind_to`, when given, is the local side. ok, timed_out, cancelled, or failed/reset with
    /// the errno.
    task<io_result> connect(base::ip_address to, base::seconds deadline);
    /// Connects to a unix socket; the path is copied before the first wait.
    task<io_result> connect(std::string_view path, base::seconds deadline);

    io_result try_read(std::span<char> into) noexcept override;
    io_result try_write(std::span<::iovec>& pieces) noexcept override;
    /// try_read() in two halves, for a call that is made with others: what to do, and what came of it.
    call_description describe_read(std::span<char> into) noexcept;
    io_result read_made(std::size_t room, int returned) noexcept;
    bool hung_up() const noexcept override { return hung_up_; }
    void shutdown_write() noexcept override;
    void shut() noexcept override;
    void close(bool abort = false) noexcept override;
    bool is_open() const noexcept override { return fd_ >= 0; }
    int descriptor() const noexcept override { return fd_; }
    base::ip_address peer_address() const noexcept override;
    base::ip_address local_address() const noexcept override;

    /// Has `call` made, with those of other streams and before anybody is resumed, whenever there may be something to
    /// read; nullptr ends that.
    void call_when_readable(batched_call* call) noexcept { reader_ = call; }

    /// Calls `f(wait_status)` once, at the end of a turn, when the stream becomes readable or ends (for connections
    /// that lie idle in a pool). Ended by take_back().
    template<class F>
    void when_readable(base::seconds deadline, F f) noexcept {
        readability().then(deadline, f);
    }
    /// Forgets when_readable() without calling it.
    void take_back() noexcept;

  private:
    void on_events(std::uint32_t epoll_events) noexcept override;
    call_description describe_write(std::span<::iovec> pieces) noexcept override;
    io_result write_made(std::span<::iovec>& pieces, int returned) noexcept override;
    task<io_result> finish_connect(int started, base::seconds deadline);
    int start_connect(const sys::socket_address& to) noexcept;

    batched_call* reader_ = nullptr;
    int fd_ = -1;
    bool hung_up_ = false; // EPOLLRDHUP, EPOLLHUP or EPOLLERR was seen: a short read does not prove a wait is needed
    bool shut_ = false;
    mutable bool peer_known_ = false;
    mutable base::ip_address peer_;
};

/// Options for a socket; false where the system refused. A failure is not fatal to anyone.
bool set_no_delay(int fd, bool on) noexcept;
/// SO_LINGER; `seconds` < 0 switches it off.
bool set_linger(int fd, int seconds) noexcept;
struct keepalive_settings {
    int idle_seconds = 0;
    int interval_seconds = 0;
    int probes = 0;

    bool operator==(const keepalive_settings&) const = default;
};
bool set_keepalive(int fd, const keepalive_settings& how) noexcept;

/// Local or remote address of a socket; base::bogus_ip for unix sockets and on errors.
base::ip_address socket_local_address(int fd) noexcept;
base::ip_address socket_peer_address(int fd) noexcept;

} // namespace clearcoat::net
