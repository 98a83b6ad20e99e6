// Counts what still runs on a loop, so that a stop can refuse new work and wait for the old. Loop thread only.
#pragma once

#include "base/panic.hpp"
#include "net/signal.hpp"

#include <cstddef>

namespace clearcoat::net {

class gate {
  public:
    explicit gate(loop& owner) noexcept : empty_(owner) {}
    ~gate() { CLEARCOAT_ASSERT(inside_ == 0); }

    /// False once the gate is closed; otherwise leave() must follow.
    bool try_enter() noexcept {
        if (closed_) {
            return false;
        }
        ++inside_;
        return true;
    }
    void leave() noexcept {
        CLEARCOAT_ASSERT(inside_ > 0);
        if (--inside_ == 0 && closed_) {
            empty_.set();
        }
    }
    std::size_t inside() const noexcept { return inside_; }
    bool closed() const noexcept { return closed_; }
    void close() noexcept {
        closed_ = true;
        if (inside_ == 0) {
            empty_.set();
        }
    }
    /// After close(): ready when everyone has left.
    auto drained(base::seconds deadline) noexcept { return empty_.wait(deadline); }

    /// Leaves at the end of its scope.
    class pass {
      public:
        explicit pass(gate& g) noexcept : gate_(g.try_enter() ? &g : nullptr) {}
        ~pass() {
            if (gate_ != nullptr) {
                gate_->leave();
            }
        }
        pass(const pass&) = delete;
        pass& operator=(const pass&) = delete;
        explicit operator bool() const noexcept { return gate_ != nullptr; }

      private:
        gate* gate_;
    };

  private:
    std::size_t inside_ = 0;
    bool closed_ = false;
    signal empty_;
};

} // namespace clearcoat::net
