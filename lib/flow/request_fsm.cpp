#include "flow/request_fsm.hpp"

#include "cache/index.hpp"
#include "tables/counters.hpp"

namespace clearcoat::flow {

request_fsm::request_fsm(request& txn, waker_source& wakers, vcl_source& vcls, cache::waiter& on_key,
                         client_host* top_host) noexcept
    : txn_(txn), vcls_(vcls), on_key_(on_key), host_(txn, wakers, top_host) {
    host_.set_response_maker(this);
}

request_action request_fsm::resume() noexcept {
    for (;;) {
        if (std::optional<request_action> action = (this->*next_)()) {
            return *action;
        }
    }
}

std::optional<request_action> request_fsm::call(vcl::sub_id which, after_vcl then) noexcept {
    after_ = then;
    return settle(run_.start(which, host_, txn_.svc.counters));
}

std::optional<request_action> request_fsm::resume_vcl() noexcept {
    return settle(run_.resume(host_, txn_.svc.counters));
}

std::optional<request_action> request_fsm::settle(const vcl::outcome& result) noexcept {
    if (result.what == vcl::outcome::state::finished) {
        (this->*after_)(result);
        return std::nullopt;
    }
    go(&request_fsm::resume_vcl);
    if (const auto limit = host_.take_body_request()) {
        body_limit_ = *limit;
        return request_action::cache_body;
    }
    return request_action::wait_module;
}

std::optional<request_action> request_fsm::minimal(unsigned status, tables::close_reason why, step then) noexcept {
    minimal_status_ = status;
    if (why != tables::close_reason::none) {
        txn_.closing = why;
    }
    go(then);
    return request_action::send_minimal;
}

bool request_fsm::common_outcome(const vcl::outcome& o) noexcept {
    switch (o.result) {
    case vcl::action::fail:
        go(&request_fsm::vcl_failed);
        return true;
    case vcl::action::synth:
        txn_.error_status = o.status;
        txn_.error_reason = o.reason;
        go(&request_fsm::synth);
        return true;
    case vcl::action::restart:
        go(&request_fsm::restart);
        return true;
    default:
        return false;
    }
}

void request_fsm::drop_objects() noexcept {
    if (txn_.object) {
        txn_.svc.cache.cancel(*txn_.object);
    }
    txn_.object.reset();
    txn_.stale.reset();
    if (busy_) {
        txn_.svc.cache.abandon(*busy_);
        busy_.reset();
    }
}

bool request_fsm::drop_body_before(step then) noexcept {
    go(then);
    return txn_.closing == tables::close_reason::none && txn_.body.now == received_body::state::unread;
}

} // namespace clearcoat::flow
