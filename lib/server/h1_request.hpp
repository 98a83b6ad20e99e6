// Serves one request of a session: performs what the request machine decides. Lives in memory of the loop from the head
// to the end of the response; owns the buffer that the head's views point into.
#pragma once

#include "backend/pool.hpp"
#include "base/arena.hpp"
#include "flow/request.hpp"
#include "flow/request_fsm.hpp"
#include "net/mail.hpp"
#include "net/types.hpp"
#include "server/cache_waiter.hpp"
#include "server/h1_body.hpp"
#include "server/h1_delivery.hpp"
#include "server/h1_session.hpp"
#include "server/receive_buffer.hpp"
#include "server/task_waker.hpp"
#include "tables/close_reasons.hpp"

#include <memory>

namespace clearcoat::server {

class h1_request final {
  public:
    static const std::size_t memory_size;

    /// `head` holds the whole head in its first `head_size` bytes; what follows goes back to the session.
    h1_request(h1_session& session, receive_buffer&& head, std::size_t head_size);
    h1_request(const h1_request&) = delete;
    h1_request& operator=(const h1_request&) = delete;

    void set_times(base::seconds first_byte, base::seconds received) noexcept;
    /// Serves as far as that goes without waiting. True when one write is to send the whole response: send_now(), or
    /// send_together() and end_now(), come next; otherwise serve_on().
    bool prepare_now();
    /// True when the request has ended; otherwise serve_on() follows.
    bool send_now() noexcept;
    /// `wait_status s = co_await send_together();` Sends with the loop's other sessions; `s` is for end_now().
    auto send_together() noexcept { return session_.stream().write_together(delivery_.write()); }
    bool end_now(net::wait_status sent) noexcept;
    net::task<> serve_on();
    /// Ends whatever it waits for: the loop stops.
    void shut() noexcept {
        waker_.cancel();
        connecting_.cancel();
    }

    tables::close_reason closing() const noexcept { return txn_.closing; }
    /// When the last thing happened, seconds since the epoch.
    base::seconds ended() const noexcept { return ended_; }

  private:
    bool go_on() noexcept;
    bool dissect() noexcept;
    void begin_records() noexcept;
    void find_body() noexcept;
    /// Nobody wakes this any more; false when a wake-up is still on its way.
    bool let_go() noexcept;
    void finish() noexcept;
    /// Steps on until something is to be waited for, in action_, or all is done.
    void advance();
    net::task<bool> perform();
    net::task<> send_minimal(unsigned status);
    net::task<> wait_module();
    net::task<> wait_fetch();
    void start_fetch();
    net::task<> run_pipe();

    h1_session& session_;
    receive_buffer head_bytes_;
    std::size_t head_size_;
    flow::request txn_;
    net::waker waker_;
    cache_waiter waiting_;
    task_waker module_waker_;
    flow::request_fsm fsm_;
    h1_body body_;
    h1_delivery delivery_;
    backend::acquire_attempt connecting_; // of a pipe
    base::seconds ended_ = 0;
    flow::request_action action_ = flow::request_action::done;
    bool refused_ = false; // the head was no request
};

} // namespace clearcoat::server
