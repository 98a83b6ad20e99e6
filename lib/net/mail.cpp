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

void waker::wake() noexcept {
    if (!posted_.exchange(true, std::memory_order_acq_rel)) {
        loop_->post(*this);
    }
}

void waker::delivered() noexcept {
    posted_.store(false, std::memory_order_release);
    signal_.set();
}

} // namespace clearcoat::net
