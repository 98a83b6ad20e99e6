#include "net/signal.hpp"

#include "base/panic.hpp"
#include "net/loop.hpp"

namespace clearcoat::net {

void signal::set() noexcept {
    set_ = true;
    finish(wait_status::ready);
}

void signal::begin_wait() noexcept {
    CLEARCOAT_ASSERT(act_ == nullptr);
}

void signal::arm(base::seconds deadline) noexcept {
    if (set_) {
        finish(wait_status::ready);
    } else if (deadline <= loop_->now()) {
        finish(wait_status::timed_out);
    } else if (deadline != no_deadline) {
        loop_->arm(*this, deadline);
    } else {
        loop_->wait_without_deadline(*this);
    }
}

void signal::finish(wait_status how) noexcept {
    if (act_ == nullptr || finished_) {
        return;
    }
    status_ = how;
    finished_ = true;
    timer_entry::cancel();
    loop_->resume_later(*this);
}

void signal::finish_next_turn() noexcept {
    status_ = wait_status::ready;
    finished_ = true;
    loop_->resume_next_turn(*this);
}

void signal::resume() {
    finished_ = false;
    act_(*this, step::call); // the waiter may destroy this signal
}

void signal::drop_waiter() noexcept {
    timer_entry::cancel();
    finished_ = false;
    if (act_ != nullptr) {
        act_(*this, step::destroy);
    }
}

} // namespace clearcoat::net
