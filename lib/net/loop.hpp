// An event loop: one thread, one io_context for coroutines, one epoll set of its own for the descriptors of streams and
// acceptors, a timer wheel, a mailbox for other threads, and the memory its tasks borrow. Everything here but post(),
// stop() and index() is for the loop's own thread. It knows nothing of HTTP.
//
// Descriptors are watched edge-triggered, so a connection costs one epoll_ctl in its life, and a wait after a drained
// read costs no system call. Asio's own reactor is never used: a turn of the loop is a handler that waits for the epoll
// set, resumes what can go on, and posts itself again, so that all coroutines run inside Asio's scheduler.
#pragma once

#include "base/arena.hpp"
#include "base/clock.hpp"
#include "base/intrusive_list.hpp"
#include "net/batched_call.hpp"
#include "net/call_ring.hpp"
#include "net/gate.hpp"
#include "net/mail.hpp"
#include "net/timer_wheel.hpp"
#include "net/types.hpp"
#include "sys/fd.hpp"

#include <boost/asio/executor_work_guard.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace clearcoat::tables {
struct main_counters;
}

namespace clearcoat::net {

/// Told about a descriptor's events; called at the start of a turn, before any coroutine runs. It must not destroy
/// anything: it sets signals.
class descriptor_watcher {
  public:
    virtual void on_events(std::uint32_t epoll_events) noexcept = 0;

    virtual ~descriptor_watcher() = default;
};

struct connection_tag;

/// What a loop can enumerate and end when it stops: a client session derives from it and links itself.
class connection : public base::list_hook<connection_tag> {
  public:
    virtual ~connection() = default;
    /// Ends the connection soon: cancels its waits, so that its coroutine runs to its end.
    virtual void shut() noexcept = 0;
};

struct loop_options {
    std::size_t arena_chunk_size = 8 * 1024;
    std::size_t arena_chunks_kept = 256;
    std::size_t buffer_size = 16 * 1024;
    std::size_t buffers_kept = 128;
    bool use_io_uring = false; // for calls that are made together, where the system allows it
    /// The loop's own plain counters, and what adds them to the shared ones; called at most every 50 ms while there is
    /// work, and once after the last work.
    tables::main_counters* counters = nullptr;
    std::function<void()> merge_counters;
};

class loop {
  public:
    explicit loop(unsigned index, loop_options options = {});
    ~loop();
    loop(const loop&) = delete;
    loop& operator=(const loop&) = delete;

    // Any thread.
    unsigned index() const noexcept { return index_; }
    /// Delivers `letter` in a turn soon. From the loop's own thread too.
    void post(mail& letter) noexcept;
    /// Makes run() return after its turn, whatever still waits. It cannot run again; what waits dies with the loop.
    void stop() noexcept;

    /// Runs until stop(); the caller's thread becomes the loop's.
    void run();
    /// Runs what is ready now and returns, for tests and benchmarks that play the other side on the same thread.
    void run_ready();
    /// After run(), at the latest in the destructor: coroutines that still wait are destroyed where they stand, without
    /// being resumed. What they refer to must still be there, other loops that they post to included.
    void end() noexcept;
    /// The loop the calling thread runs; nullptr elsewhere.
    static loop* current() noexcept;

    // The loop's thread.
    /// Starts a root coroutine (once a connection or fetch); an exception that leaves it is a panic.
    void spawn(task<> root);

    /// Makes `call` before this turn resumes anybody; for watchers, when they are told of events.
    void receive_soon(batched_call& call) noexcept { receives_.push_back(call); }
    /// Makes `call` when nobody is left to resume in this turn; who waits for it is resumed in the same turn.
    void send_soon(batched_call& call) noexcept { sends_.push_back(call); }
    /// Whether this turn has more to do than what runs now, so that waiting for others makes sense.
    bool has_company() const noexcept { return !resumable_.empty() || !sends_.empty(); }

    /// The time of this turn: monotonic seconds for deadlines, and seconds since the epoch. Read once a turn.
    base::seconds now() const noexcept { return now_; }
    base::seconds real_now() const noexcept { return real_; }
    /// Reads the clocks anew, for time stamps after long work within one turn.
    void refresh_clock() noexcept;
    /// now() + timeout; a timeout that is infinite gives no_deadline.
    base::seconds deadline_in(base::seconds timeout) const noexcept { return now_ + timeout; }

    timer_wheel& wheel() noexcept { return wheel_; }
    void arm(timer_entry& entry, base::seconds deadline) noexcept { wheel_.arm(entry, deadline); }

    /// For arenas of tasks.
    base::chunk_cache& chunks() noexcept { return chunks_; }
    /// For receive buffers; see net::buffer.
    base::chunk_cache& buffers() noexcept { return buffers_; }
    tables::main_counters& counters() noexcept { return *counters_; }

    base::intrusive_list<connection, connection_tag>& connections() noexcept { return connections_; }
    /// Counts sessions and fetches.
    gate& sessions() noexcept { return sessions_; }

    /// Watches `fd` for `epoll_events` (EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET for streams). 0 or an errno.
    int watch(int fd, descriptor_watcher& watcher, std::uint32_t epoll_events) noexcept;
    int rewatch(int fd, descriptor_watcher& watcher, std::uint32_t epoll_events) noexcept;
    /// Not needed before close() of the last copy of a descriptor.
    void unwatch(int fd) noexcept;

  private:
    friend class signal;
    using signal_list = base::intrusive_list<timer_entry, wheel_tag>;
    struct bell;
    class merge_timer;

    void resume_later(signal& s) noexcept;
    void resume_next_turn(signal& s) noexcept;
    void wait_without_deadline(signal& s) noexcept;
    void abandon_waiters() noexcept;
    void drop_mail() noexcept;
    void begin_running() noexcept;
    void go_on() noexcept;
    void ready_turn() noexcept;
    bool must_not_wait() const noexcept {
        return spawned_ || !resumable_.empty() || !yielded_.empty() || !sends_.empty() || !mail_.empty();
    }
    int wait_time() const noexcept;
    bool turn(int wait_milliseconds) noexcept;
    int collect_events(int wait_milliseconds) noexcept;
    void deliver_mail() noexcept;
    void make_all(call_list& calls) noexcept;
    bool resume_waiters() noexcept;
    bool resume_and_send() noexcept;
    void expect_merge() noexcept;

    unsigned index_;
    sys::unique_fd epoll_;
    std::optional<asio::io_context> context_; // end() resets it: frames that it holds refer to the other members
    std::optional<asio::executor_work_guard<executor>> work_;
    base::seconds now_ = 0;
    base::seconds real_ = 0;
    timer_wheel wheel_;
    signal_list resumable_;
    signal_list yielded_; // resumable in the next turn
    signal_list endless_; // signals that somebody waits for without a deadline
    call_list receives_;  // empty between turns, as is sends_
    call_list sends_;
    std::unique_ptr<call_ring> ring_; // nullptr: calls are made one by one
    mailbox mail_;
    base::chunk_cache chunks_;
    base::chunk_cache buffers_;
    tables::main_counters* counters_;
    std::function<void()> merge_;
    base::intrusive_list<connection, connection_tag> connections_;
    gate sessions_;
    bool spawned_ = false; // a coroutine waits in Asio's queue to begin
    std::atomic<bool> stopping_{false};
    std::unique_ptr<bell> bell_;
    std::unique_ptr<merge_timer> merge_timer_;
};

} // namespace clearcoat::net
