// The life of a client's request, from the dissected head to the response: runs the client subroutines, looks up, asks
// for fetches, and says what to send. It decides and never performs: resume() gives the next action, the shell
// performs it and calls resume() again. Belongs to the request's task; the steps are in request_*.cpp.
#pragma once

#include "cache/lookup.hpp"
#include "cache/waiter.hpp"
#include "flow/client_host.hpp"
#include "flow/delivery_plan.hpp"
#include "flow/fetch_request.hpp"
#include "flow/pipe_exchange.hpp"
#include "flow/request.hpp"
#include "flow/run_vcl.hpp"

#include <cstdint>
#include <optional>

namespace clearcoat::flow {

enum class request_action : std::uint8_t {
    send_minimal, // a start line and nothing else: minimal_status(); 100 goes on, others end the request
    cache_body,   // read the body into request::body.kept, at most body_limit() bytes; on failure state failed
    drop_body,    // read the body and forget it; on failure state failed
    wait_module,  // until the waker that a module holds is woken
    wait_key,     // until the waiter given to the constructor is woken
    start_fetch,  // hand take_fetch() to a fetch task and come back at once
    wait_fetch,   // until request::object is streaming, finished or failed
    deliver,      // send request::response as plan() says
    pipe,         // relay between the client and the backend of exchange()
    done          // over: account and log end here
};

class request_fsm final : private response_maker {
  public:
    /// `on_key` is woken when a busy object may be looked at again; it stays registered only during wait_key.
    request_fsm(request& txn, waker_source& wakers, vcl_source& vcls, cache::waiter& on_key,
                client_host* top_host = nullptr) noexcept;

    /// The request came from the wire and was dissected without a fault: framing in request::body, times set.
    void begin() noexcept { next_ = &request_fsm::transport; }
    /// A request that an ESI include makes: no transport to look after.
    void begin_include() noexcept {
        received_mark_ = txn_.workspace.position();
        next_ = &request_fsm::receive;
    }

    request_action resume() noexcept;

    unsigned minimal_status() const noexcept { return minimal_status_; }
    std::uint64_t body_limit() const noexcept { return body_limit_; }
    fetch_request take_fetch() noexcept { return std::move(*fetch_); }
    delivery_plan& plan() noexcept { return plan_; }
    client_host& host() noexcept { return host_; }
    /// What pipe carries.
    pipe_exchange& exchange() noexcept { return *exchange_; }

  private:
    using step = std::optional<request_action> (request_fsm::*)() noexcept;
    using after_vcl = void (request_fsm::*)(const vcl::outcome&) noexcept;

    std::optional<request_action> call(vcl::sub_id which, after_vcl then) noexcept;
    std::optional<request_action> resume_vcl() noexcept;
    std::optional<request_action> settle(const vcl::outcome& result) noexcept;
    std::optional<request_action> minimal(unsigned status, tables::close_reason why, step then) noexcept;
    std::optional<request_action> end() noexcept { return request_action::done; }
    void go(step s) noexcept { next_ = s; }
    /// The outcomes that mean the same in every subroutine; false for others.
    bool common_outcome(const vcl::outcome& o) noexcept;
    bool drop_body_before(step then) noexcept;
    void drop_objects() noexcept;

    // request_receive.cpp
    std::optional<request_action> transport() noexcept;
    std::optional<request_action> receive() noexcept;
    void log_request() noexcept;
    void prepare_receive() noexcept;
    std::optional<request_action> call_recv() noexcept;
    void after_recv(const vcl::outcome& o) noexcept;
    bool switch_vcl(std::string_view label) noexcept;
    std::optional<request_action> after_recv_body() noexcept;
    std::optional<request_action> hash() noexcept;
    void after_hash(const vcl::outcome& o) noexcept;
    void follow_recv() noexcept;
    std::optional<request_action> restart() noexcept;
    std::optional<request_action> vcl_failed() noexcept;
    void empty_workspace() noexcept;

    // request_lookup.cpp
    std::optional<request_action> lookup() noexcept;
    void looked_up(cache::lookup_result& found) noexcept;
    void log_hit(const cache::object& o) noexcept;
    std::optional<request_action> hit() noexcept;
    void after_hit(const vcl::outcome& o) noexcept;
    std::optional<request_action> refresh_behind() noexcept;
    std::optional<request_action> refresh_started() noexcept;
    std::optional<request_action> accept_hit() noexcept;
    void count_hit() noexcept;
    std::optional<request_action> miss() noexcept;
    void after_miss(const vcl::outcome& o) noexcept;
    std::optional<request_action> start_miss() noexcept;
    std::optional<request_action> pass() noexcept;
    void after_pass(const vcl::outcome& o) noexcept;
    std::optional<request_action> start_pass() noexcept;
    void begin_fetch(step start) noexcept;
    std::optional<request_action> filter_body() noexcept;
    std::optional<request_action> body_filtered() noexcept;
    std::optional<request_action> fetch_started() noexcept;
    std::optional<request_action> fetched() noexcept;
    std::optional<request_action> fetched_body_dropped() noexcept;
    std::optional<request_action> purge() noexcept;
    void after_purge(const vcl::outcome& o) noexcept;
    std::optional<request_action> pipe() noexcept;
    void after_pipe(const vcl::outcome& o) noexcept;
    std::optional<request_action> start_pipe() noexcept;
    std::optional<request_action> piped() noexcept;
    void prepare_fetch(fetch_mode mode, cache::object_ref stale) noexcept;

    // request_deliver.cpp
    std::optional<request_action> deliver() noexcept;
    bool set_up_response() noexcept;
    void remake_response() noexcept override;
    void after_deliver(const vcl::outcome& o) noexcept;
    std::optional<request_action> synth() noexcept;
    void set_up_synthetic() noexcept;
    void after_synth(const vcl::outcome& o) noexcept;
    std::optional<request_action> synth_failed() noexcept;
    std::optional<request_action> failure_sent() noexcept;
    std::optional<request_action> drop_body_of_synth() noexcept;
    std::optional<request_action> store_synthetic() noexcept;
    std::optional<request_action> transmit() noexcept;
    std::optional<request_action> transmitted() noexcept;

    request& txn_;
    vcl_source& vcls_;
    cache::waiter& on_key_;
    client_host host_;
    vcl_run run_;
    base::arena::mark received_mark_{}; // of the workspace, when it held the request as it came
    step next_ = nullptr;
    after_vcl after_ = nullptr;
    vcl::outcome received_; // what vcl_recv returned
    cache::object_ref busy_;
    std::optional<fetch_request> fetch_;
    std::optional<pipe_exchange> exchange_;
    delivery_plan plan_;
    std::uint64_t body_limit_ = 0;
    step fetch_step_ = nullptr; // what begin_fetch() goes on with
    unsigned minimal_status_ = 0;
    step after_body_ = nullptr;
    bool waited_ = false;
    bool grace_hit_ = false;
};

} // namespace clearcoat::flow
