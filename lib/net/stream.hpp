// A byte stream as sessions and fetches see it. Plain sockets implement it now; TLS, a PROXY preamble in front and the
// streams of HTTP/2 come behind the same interface. It belongs to one loop. At most one coroutine reads and one writes
// at a time. No call allocates.
//
// The way to use it on a hot path: try_read() / try_write() first, and only when they would block wait for the signal.
// A session that idles waits for readability and borrows its buffer afterwards.
#pragma once

#include "base/ip_address.hpp"
#include "net/batched_call.hpp"
#include "net/signal.hpp"

#include <sys/uio.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace clearcoat::net {

enum class io_status : std::uint8_t {
    ok,
    would_block, // only from try_*: wait and try again
    eof,         // the peer has ended its side in order
    reset,       // ECONNRESET, EPIPE and their like: the peer is gone
    timed_out,   // our deadline, or the kernel's ETIMEDOUT
    cancelled,   // shut() was called: the loop stops or the owner gave up
    failed       // anything else; `error` tells
};

struct io_result {
    io_status status = io_status::ok;
    int error = 0; // errno where there is one; ETIMEDOUT for our deadlines, ECANCELED after shut()
    std::size_t bytes = 0;

    bool ok() const noexcept { return status == io_status::ok; }
};

/// The io_status of an errno (EAGAIN included).
io_status status_of(int error) noexcept;

/// A piece of a gathered write. The bytes are not copied and not changed.
inline ::iovec piece(std::string_view bytes) noexcept {
    return {const_cast<char*>(bytes.data()), bytes.size()};
}
inline ::iovec piece(std::span<const std::byte> bytes) noexcept {
    return {const_cast<std::byte*>(bytes.data()), bytes.size()};
}

class stream;

/// A write that the loop makes with those of others. `pieces` is changed as by try_write().
class queued_write final : public batched_call {
  public:
    std::span<::iovec> pieces;
    io_result result; // when write_together() was ready

  private:
    friend class stream;
    void make() noexcept override;
    call_description describe() noexcept override;
    void made(int returned) noexcept override;
    stream* to_ = nullptr;
};

class stream {
  public:
    explicit stream(loop& owner) noexcept : loop_(&owner), readable_(owner), writable_(owner) {}
    virtual ~stream() = default;
    stream(const stream&) = delete;
    stream& operator=(const stream&) = delete;

    net::loop& home() const noexcept { return *loop_; }

    /// Reads what is there. `ok` with at least 1 byte, or why not. Costs no system call when the stream knows that
    /// nothing can be there.
    virtual io_result try_read(std::span<char> into) noexcept = 0;
    /// Sends what goes; `pieces` is moved past what was sent (its elements are changed). `ok` when everything went,
    /// `would_block` when some is left. `bytes` counts what was sent in either case. Any number of pieces.
    virtual io_result try_write(std::span<::iovec>& pieces) noexcept = 0;

    /// `wait_status s = co_await st.wait_readable(deadline);` ready at once when try_read() is worth trying.
    auto wait_readable(base::seconds deadline) noexcept { return readable_.wait(deadline); }
    auto wait_writable(base::seconds deadline) noexcept { return writable_.wait(deadline); }
    /// Lets the loop's other tasks go first; while nobody waits to read.
    auto yield() noexcept { return readable_.yield(); }
    /// Whether try_read() is worth trying (data, end or error may be there).
    bool readable() const noexcept { return readable_.is_set(); }

    /// try_read(), waiting for data until `deadline`.
    task<io_result> read_some(std::span<char> into, base::seconds deadline);
    /// Sends all of `pieces` (changed on the way) by `deadline`; synchronous first. `bytes` counts what went out even
    /// when it fails. Restart it after `would_block` is never needed.
    task<io_result> write_all(std::span<::iovec> pieces, base::seconds deadline);

    /// `wait_status s = co_await st.write_together(w);` try_write() for w.pieces, made when nobody is left whom the
    /// loop is to resume in this turn. Unless `ready`, nothing was sent and w.result tells why. `w` outlives the wait.
    auto write_together(queued_write& w) noexcept {
        queue(w);
        return writable_.wait_told();
    }

    /// Whether the peer has ended or reset its side, as far as the loop has been told; no system call.
    virtual bool hung_up() const noexcept = 0;
    /// Ends our direction; the peer reads an end of file.
    virtual void shutdown_write() noexcept = 0;
    /// Ends every wait with `cancelled`; reads and writes give `cancelled` from now on. The descriptor stays open until
    /// close().
    virtual void shut() noexcept = 0;
    /// Closes. Nobody may be waiting. `abort` makes a socket send a reset.
    virtual void close(bool abort = false) noexcept = 0;
    virtual bool is_open() const noexcept = 0;

    /// The number the log prints; -1 when there is no descriptor of its own.
    virtual int descriptor() const noexcept = 0;
    /// base::bogus_ip for unix sockets.
    virtual base::ip_address peer_address() const noexcept = 0;
    virtual base::ip_address local_address() const noexcept = 0;

  protected:
    /// For queued_write: what try_write() would do first, and what it makes of that call's outcome. A stream that is
    /// not a plain socket describes nothing.
    virtual call_description describe_write(std::span<::iovec> pieces) noexcept;
    virtual io_result write_made(std::span<::iovec>& pieces, int returned) noexcept;
    signal& readability() noexcept { return readable_; }
    const signal& readability() const noexcept { return readable_; }
    signal& writability() noexcept { return writable_; }

  private:
    friend class queued_write;
    void queue(queued_write& w) noexcept;

    net::loop* loop_;
    signal readable_;
    signal writable_;
};

/// What a failed wait means for a read or write.
io_status status_of(wait_status s) noexcept;

} // namespace clearcoat::net
