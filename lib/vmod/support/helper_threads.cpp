#include "vmod/support/helper_threads.hpp"

#include <chrono>
#include <system_error>
#include <thread>

namespace clearcoat::vmod {

bool helper_lane::run(std::function<void()> work) {
    std::lock_guard hold(mutex_);
    if (work_.size() >= limit_) {
        return false;
    }
    work_.push_back(std::move(work));
    if (idle_ >= work_.size() || running_ == threads_) {
        more_.notify_one();
        return true;
    }
    try {
        std::thread([this] { serve(); }).detach();
        ++running_;
    } catch (const std::system_error&) {
        if (running_ == 0) {
            work_.pop_back();
            return false;
        }
    }
    return true;
}

void helper_lane::serve() {
    std::unique_lock hold(mutex_);
    for (;;) {
        ++idle_;
        const bool found = more_.wait_for(hold, std::chrono::seconds(10), [this] { return !work_.empty(); });
        --idle_;
        if (!found) {
            --running_;
            return;
        }
        std::function<void()> work = std::move(work_.front());
        work_.pop_front();
        hold.unlock();
        work();
        work = nullptr;
        hold.lock();
    }
}

helper_lane& blocking_lane() {
    static auto* lane = new helper_lane(32, 100000);
    return *lane;
}

} // namespace clearcoat::vmod
