// The fetch machine: builds the backend request, runs vcl_backend_*, retries, decides how long and where the response
// is kept, moves the body through the filters into the object, and writes all records of the transaction. It decides
// and never performs: each call gives the next action, and the shell (server/fetch_task) calls back with what came of
// it. Belongs to one task. Clients follow through the object's state.
//
//   start -> [vcl_backend_fetch] -> connect -> send -> read ... (head) -> [vcl_backend_response] -> read ... (body)
//         -> release -> finished;    [vcl_backend_error] wherever that fails, and retry back to the start
#pragma once

#include "cache/body_writer.hpp"
#include "flow/backend_host.hpp"
#include "flow/fetch_action.hpp"
#include "flow/fetch_body.hpp"
#include "flow/fetch_request.hpp"
#include "flow/run_vcl.hpp"
#include "flow/send_filters.hpp"
#include "flow/services.hpp"
#include "http/h1/dissect.hpp"
#include "http/h1/framing.hpp"
#include "tables/close_reasons.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace clearcoat::flow {

class fetch_fsm final : private backend_host::rollback_listener {
  public:
    /// Copies what it needs of `request`, so that its views may go. `svc` and `port` outlive the machine.
    fetch_fsm(services& svc, fetch_port& port, fetch_request&& request);
    /// A machine that did not finish fails its object.
    ~fetch_fsm();
    fetch_fsm(const fetch_fsm&) = delete;
    fetch_fsm& operator=(const fetch_fsm&) = delete;

    /// The number of the transaction, for the client's Link record. Changes with retries.
    base::vxid_number vxid() const noexcept { return log_.vxid(); }
    cache::object& target() const noexcept { return *request_.object; }
    request_body body_source() const noexcept { return request_.body; }
    cache::object_ref cached_body() const noexcept { return request_.cached_body; }
    /// What that body is to pass on its way, sent in chunks then; nullptr: nothing.
    body::stage* send_filter() noexcept {
        return request_.body == request_body::none ? nullptr : send_filters_.stage();
    }

    /// `why` of a failed connect is what FetchError says.
    fetch_action start() noexcept;
    fetch_action on_connected(const connection_facts& facts) noexcept;
    fetch_action on_connect_failed(connect_fault fault, std::string_view why) noexcept;
    fetch_action on_sent(const send_report& report) noexcept;
    fetch_action on_read(const read_report& report) noexcept;
    fetch_action on_released() noexcept;
    fetch_action on_woken() noexcept;
    /// The worker stops: whatever was going on ends, the object fails.
    fetch_action cancel() noexcept;

  private:
    enum class step : std::uint8_t {
        start_attempt,
        after_backend_fetch,
        get_response,
        reconnect,
        no_response,
        after_head,
        after_backend_refresh,
        after_backend_response,
        conditional,
        copy_stale,
        store,
        store_body,
        end,
        backend_error,
        after_backend_error,
        retry,
        fail,
        done
    };
    using reaction = std::optional<fetch_action>; // empty: go on with the next step

    // fetch_fsm.cpp: the steps' dispatch, the end
    fetch_action run() noexcept;
    reaction take_step() noexcept;
    reaction retry() noexcept;
    reaction fail() noexcept;
    reaction finish_body() noexcept;
    reaction end() noexcept;
    fetch_action close_transaction() noexcept;
    reaction release_then(step next) noexcept;
    reaction call_vcl(vcl::sub_id which, step next) noexcept;
    void go(step next) noexcept { next_ = next; }
    void fetch_error(std::string_view text) noexcept;
    void give_up_request_body(bool bad) noexcept;
    void bereq_rolled_back() noexcept override;
    void timing_rolled_back() noexcept override { compute_timing(); }

    // fetch_bereq.cpp: the backend request
    void make_bereq() noexcept;
    void add_validators() noexcept;
    reaction start_attempt() noexcept;
    reaction after_backend_fetch() noexcept;
    void take_error() noexcept;
    reaction get_response() noexcept;
    vcl::director* resolve() noexcept;
    fetch_action connect_action() noexcept;
    bool make_send_filters();
    fetch_action send_action() noexcept;
    reaction connection_failed() noexcept;
    void find_timeouts() noexcept;
    base::seconds within_deadline(base::seconds timeout) const noexcept;

    // fetch_beresp.cpp: the response's head
    fetch_action await_head() noexcept;
    fetch_action read_head_action() noexcept;
    fetch_action attempt_failed(bool nothing_came) noexcept;
    fetch_action on_head_bytes(const read_report& report) noexcept;
    fetch_action head_failed(std::string_view why, tables::close_reason reason) noexcept;
    fetch_action dissect_head() noexcept;
    void count_framing() noexcept;
    reaction after_head() noexcept;
    reaction not_modified() noexcept;
    reaction after_backend_refresh() noexcept;
    void merge_stale() noexcept;
    void keep_validators() noexcept;
    reaction respond() noexcept;
    void compute_timing() noexcept;
    reaction after_backend_response() noexcept;
    reaction response_refused() noexcept;
    reaction deliver_response() noexcept;

    // fetch_store.cpp: the object
    bool make_object() noexcept;
    bool place_object(std::size_t head_size, std::size_t vary_size) noexcept;
    void log_object_head(http::filter_use use) noexcept;
    void publish() noexcept;
    reaction store() noexcept;
    bool choose_filters() noexcept;
    reaction store_body() noexcept;
    reaction wait_for_reader() noexcept;
    reaction read_body_action() noexcept;
    reaction body_failed() noexcept;
    fetch_action on_body_bytes(const read_report& report) noexcept;
    reaction conditional() noexcept;
    reaction copy_stale() noexcept;
    bool copy_body(cache::object& from) noexcept;
    reaction conditional_failed() noexcept;

    // fetch_error.cpp: synthetic objects
    reaction backend_error() noexcept;
    void take_object_back() noexcept;
    reaction after_backend_error() noexcept;

    services& svc_;
    fetch_port& port_;
    fetch_request request_;
    base::task_log& log_;
    base::arena workspace_;
    backend_host host_;
    head_recorder bereq0_records_;
    http::head bereq0_; // what retries and rollback go back to
    vcl_run vcl_;
    vcl::outcome outcome_;
    fetch_account account_;

    step next_ = step::start_attempt;
    bool vcl_waits_ = false;
    bool closed_ = false;
    bool rolled_back_ = false; // by VCL while a connection was open, which is of no use any more
    std::uint64_t length_ = 0;
    bool body_owed_ = false; // request_body_done() is still to be called
    std::string_view no_retry_;
    unsigned error_status_ = 0;
    std::string_view error_reason_;

    // The connection of this attempt.
    bool connected_ = false;
    bool fetch_failed_ = false; // a FetchError record was written: only the first one is
    bool extra_chance_ = false;
    connection_facts connection_;
    backend_facts backend_;
    base::seconds connect_timeout_ = 0;
    base::seconds first_byte_timeout_ = 0;
    base::seconds between_bytes_timeout_ = 0;
    tables::close_reason close_ = tables::close_reason::none;
    std::string request_text_;
    send_filters send_filters_;
    std::size_t sent_head_ = 0;

    // What it sent.
    std::unique_ptr<char[]> buffer_;
    std::size_t buffer_size_ = 0;
    std::size_t head_limit_ = 0; // http_resp_size
    std::size_t filled_ = 0;
    std::size_t head_size_ = 0;
    bool head_begun_ = false;
    std::string_view leftover_; // received, but not looked at by the body yet
    bool receiving_body_ = false;
    bool receives_direct_ = false; // into the object itself
    http::h1::head_scanner scanner_;
    http::h1::framing framing_;
    fetch_body body_;
    std::optional<cache::body_writer> writer_;
    bool object_made_ = false;
    bool waiters_served_ = false; // by an error page that lives a second
};

} // namespace clearcoat::flow
