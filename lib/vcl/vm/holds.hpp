// What modules keep a loaded VCL for. A hold is a token: while it lives, the VCL keeps what the list is about. Tokens
// may be taken and dropped on any thread, and may outlive the list.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace clearcoat::vcl {

class hold_list {
    struct state {
        std::mutex mutex;
        std::list<std::string> reasons; // guarded by mutex
    };

  public:
    class token {
      public:
        token() = default;
        token(token&& other) noexcept : of_(std::move(other.of_)), at_(other.at_) {}
        token& operator=(token&& other) noexcept {
            if (this != &other) {
                drop();
                of_ = std::move(other.of_);
                at_ = other.at_;
            }
            return *this;
        }
        ~token() { drop(); }
        explicit operator bool() const noexcept { return of_ != nullptr; }
        void drop() noexcept {
            if (of_ != nullptr) {
                const std::lock_guard lock(of_->mutex);
                of_->reasons.erase(at_);
            }
            of_ = nullptr;
        }

      private:
        friend class hold_list;
        std::shared_ptr<state> of_;
        std::list<std::string>::iterator at_;
    };

    /// `why` is shown to the operator who finds the VCL held.
    [[nodiscard]] token add(std::string why) {
        token made;
        const std::lock_guard lock(state_->mutex);
        made.of_ = state_;
        made.at_ = state_->reasons.insert(state_->reasons.end(), std::move(why));
        return made;
    }
    std::size_t size() const noexcept {
        const std::lock_guard lock(state_->mutex);
        return state_->reasons.size();
    }
    bool empty() const noexcept { return size() == 0; }
    std::vector<std::string> reasons() const {
        const std::lock_guard lock(state_->mutex);
        return {state_->reasons.begin(), state_->reasons.end()};
    }

  private:
    std::shared_ptr<state> state_ = std::make_shared<state>();
};

} // namespace clearcoat::vcl
