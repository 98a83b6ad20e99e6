// How other threads reach a loop: they post a piece of mail that lies inside the sender's or receiver's object. Posting
// takes no lock, allocates nothing and wakes the loop at most once for any number of letters.
#pragma once

#include "net/signal.hpp"

#include <atomic>
#include <cstdint>

namespace clearcoat::net {

/// Derive from it. The letter must live, and not be posted again, until delivered() is called.
class mail {
  public:
    mail() = default;
    mail(const mail&) = delete;
    mail& operator=(const mail&) = delete;
    virtual ~mail() = default;

  protected:
    /// On the loop's thread, in a turn. The letter may be destroyed or posted again in here.
    virtual void delivered() noexcept = 0;
    /// Instead of delivered(), when the loop goes first. A letter that owns itself goes, too.
    virtual void dropped() noexcept {}

  private:
    friend class mailbox;
    friend class loop;
    mail* next_ = nullptr;
};

/// Many senders, one receiver; lock-free.
class mailbox {
  public:
    /// Any thread. True when the box was empty, so the receiver must be woken.
    bool push(mail& letter) noexcept {
        mail* head = head_.load(std::memory_order_relaxed);
        do {
            letter.next_ = head;
        } while (!head_.compare_exchange_weak(head, &letter, std::memory_order_release, std::memory_order_relaxed));
        return head == nullptr;
    }
    bool empty() const noexcept { return head_.load(std::memory_order_relaxed) == nullptr; }
    /// Receiver only: everything so far in the order it was posted, linked by next_.
    mail* take_all() noexcept;

  private:
    std::atomic<mail*> head_{nullptr};
};

/// Lets any thread end a wait of one coroutine on one loop. wake() may be called many times: until the loop has
/// delivered it, further calls do nothing.
class waker final : public mail {
  public:
    explicit waker(loop& owner) noexcept : loop_(&owner), signal_(owner) {}
    /// Panics when a wake-up is still on its way: whoever may call wake() must be told to forget this one first, and
    /// then a pending() wake-up must be awaited.
    ~waker() override;

    /// Any thread. `note`, a bit of the caller's own (1 to 64), is left in the same step: whoever finds it knows that
    /// this call touches the waker no more once no wake-up is pending().
    void wake(std::uint8_t note = 0) noexcept;
    /// Whether `note` was left since this was last asked.
    bool take_note(std::uint8_t note) noexcept {
        return (state_.fetch_and(static_cast<std::uint8_t>(~note), std::memory_order_acq_rel) & note) != 0;
    }
    /// Whether a wake-up is on its way to the loop.
    bool pending() const noexcept { return (state_.load(std::memory_order_acquire) & posted) != 0; }

    // Loop thread.
    net::loop& home() const noexcept { return *loop_; }
    bool woken() const noexcept { return signal_.is_set(); }
    /// Forgets a wake-up, before the next wait.
    void rearm() noexcept { signal_.clear(); }
    auto wait(base::seconds deadline = no_deadline) noexcept { return signal_.wait(deadline); }
    void cancel() noexcept { signal_.cancel(); }

  private:
    static constexpr std::uint8_t posted = 0x80; // beside the notes

    void delivered() noexcept override;
    net::loop* loop_;
    signal signal_;
    std::atomic<std::uint8_t> state_{0};
};

} // namespace clearcoat::net
