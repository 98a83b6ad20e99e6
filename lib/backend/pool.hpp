// How a fetch gets a connection: an idle one of its loop's pool, or a new one. The lease accounts for it in the
// backend's limits and counters. Loop thread only.
//
// A reused connection may have been closed by the peer just before the request reached it: a fetch that fails on a
// lease with reused() before any byte of the response has arrived may try once more with force_fresh.
#pragma once

#include "backend/backend.hpp"
#include "base/log.hpp"
#include "net/stream.hpp"
#include "net/types.hpp"

#include <memory>
#include <string>

namespace clearcoat::backend {

enum class acquire_status : std::uint8_t {
    ok,
    unhealthy,    // not tried
    busy,         // max_connections reached
    failed,       // connecting failed; `error` is the errno, 0: held down after an earlier failure
    proxy_failed, // the PROXY preamble could not be written
    cancelled     // the loop stops
};

/// A connection in use. Ends with recycle() or close(); its destructor closes.
class lease {
  public:
    lease() noexcept = default;
    lease(backend& from, std::unique_ptr<pooled_connection> connection, bool reused) noexcept;
    lease(lease&& other) noexcept = default;
    lease& operator=(lease&& other) noexcept;
    ~lease() { close(); }

    explicit operator bool() const noexcept { return connection_ != nullptr; }
    net::stream& stream() noexcept { return connection_->stream; }
    bool reused() const noexcept { return reused_; }
    /// The address that was connected to (beresp.backend.ip); base::bogus_ip for unix sockets.
    const base::ip_address& remote() const noexcept { return connection_->remote; }
    int descriptor() const noexcept { return connection_->stream.descriptor(); }
    backend& from() noexcept { return *from_; }

    /// Whether recycle() will keep it: never behind a PROXY preamble of the client's.
    bool reusable() const noexcept;
    /// Gives it back to the pool for at most `idle_timeout` seconds, or closes it when it is not reusable().
    void recycle(base::seconds idle_timeout) noexcept;
    void close() noexcept;

  private:
    void give_back() noexcept;
    backend* from_ = nullptr;
    std::unique_ptr<pooled_connection> connection_;
    bool reused_ = false;
};

/// What connecting to an endpoint came to.
struct dial_outcome {
    bool connected = false;
    bool cancelled = false;
    int error = 0; // errno; 0 when not connected: held down after an earlier failure
};

/// Connects `connection`, each of the endpoint's addresses in turn with `timeout` seconds for each, and sends the
/// endpoint's preamble. A failure that will not go away soon holds the endpoint down as the parameters tell.
net::task<dial_outcome> dial(endpoint& where, pooled_connection& connection, const tables::param_block& params,
                             base::seconds timeout);

/// By which a task that waits in acquire() is told to give up. Loop thread only.
class acquire_attempt {
  public:
    /// Ends a wait or a connect under way, and lets none begin any more: the status is then cancelled.
    void cancel() noexcept {
        cancelled_ = true;
        if (waiting_ != nullptr) {
            waiting_->cancel();
        }
        if (dialing_ != nullptr) {
            dialing_->shut();
        }
    }
    bool cancelled() const noexcept { return cancelled_; }
    /// For acquire(): the stream that is being connected; nullptr: none any more.
    void watch(net::stream* dialing) noexcept { dialing_ = dialing; }
    /// The same for the wait for a slot.
    void watch(net::waker* waiting) noexcept { waiting_ = waiting; }

  private:
    net::stream* dialing_ = nullptr;
    net::waker* waiting_ = nullptr;
    bool cancelled_ = false;
};

struct acquire_options {
    base::seconds connect_timeout = 0; // 0: the backend's own, else the parameter
    bool force_fresh = false;
    acquire_attempt* attempt = nullptr; // lives as long as the options
    // For backends with .proxy_header: the client's connection.
    base::ip_address client;
    base::ip_address server;
};

struct acquire_result {
    acquire_result() noexcept = default;
    acquire_result(acquire_result&&) noexcept = default;
    acquire_result& operator=(acquire_result&&) noexcept = default;
    acquire_status status = acquire_status::failed;
    int error = 0;
    lease connection;
    std::size_t preamble_bytes = 0; // of a PROXY header sent, part of the request's header bytes
};

/// Checks health and the limit, then reuses or connects. Counts in the backend's counters; main counters
/// (backend_conn, backend_reuse, backend_fail, ...) are the caller's, by the result. `options` lives until it returns.
net::task<acquire_result> acquire(net::loop& home, backend& from, const acquire_options& options);

/// The FetchError record's text for a result that is not ok ("backend name: fail errno 111 (...)").
std::string describe_failure(const backend& from, const acquire_result& result);
/// The BackendOpen record's text.
std::string describe_open(lease& l);

} // namespace clearcoat::backend
