// The handles by which modules wake a task that waits for them, from any thread and also when the task is gone.
#pragma once

#include "flow/task_host.hpp"
#include "net/mail.hpp"

#include <memory>
#include <mutex>

namespace clearcoat::server {

class task_waker final : public flow::waker_source {
  public:
    explicit task_waker(net::waker& target) noexcept : target_(target) {}
    ~task_waker() override { detach(); }

    std::shared_ptr<vcl::wakeup> make_waker() override {
        if (!handle_) {
            handle_ = std::make_shared<handle>(target_);
        }
        return handle_;
    }
    /// From now on handles do nothing. A wake-up may still be on its way to the loop.
    void detach() noexcept {
        if (handle_) {
            handle_->detach();
            handle_.reset();
        }
    }

  private:
    class handle final : public vcl::wakeup {
      public:
        explicit handle(net::waker& target) noexcept : target_(&target) {}
        void wake() noexcept override {
            std::lock_guard lock(mutex_);
            if (target_ != nullptr) {
                target_->wake();
            }
        }
        void detach() noexcept {
            std::lock_guard lock(mutex_);
            target_ = nullptr;
        }

      private:
        std::mutex mutex_;
        net::waker* target_; // guarded by mutex_
    };

    net::waker& target_;
    std::shared_ptr<handle> handle_;
};

/// Waits until no wake-up is on its way to `w`, so that it may be destroyed.
inline net::task<> settle(net::waker& w) {
    while (w.pending()) {
        w.rearm();
        static_cast<void>(co_await w.wait());
    }
}

} // namespace clearcoat::server
