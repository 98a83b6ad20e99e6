#include "net/mail.hpp"

#include "base/panic.hpp"
#include "net/loop.hpp"

namespace clearcoat::net {

mail* mailbox::take_all() noexcept {
    mail* newest = head_.exchange(nullptr, std::memory_order_acquire);
    mail* oldest = nullptr;
    while (newest != nullptr) {
        mail* older = newest->next_;
        newest->next_ = oldest;
        oldest = newest;
        newest = older;
    }
    return oldest;
}

waker::~waker() {
    CLEARCOAT_ASSERT(!pending());
}

void waker::wake(std::uint8_t note) noexcept {
    if ((state_.fetch_or(posted | note, std::memory_order_acq_rel) & posted) == 0) {
        loop_->post(*this);
    }
}

void waker::delivered() noexcept {
    state_.fetch_and(static_cast<std::uint8_t>(~posted), std::memory_order_release);
    signal_.set();
}

} // namespace clearcoat::net
