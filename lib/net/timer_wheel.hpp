// A hierarchical timer wheel for timeouts that are nearly always moved or cancelled before they fire: arming, rearming
// and cancelling are O(1) and touch only the entry's links. It keeps no clock: the owner tells it the time and asks
// when to call again, so tests turn it by hand. Owned by one loop, used on its thread only.
#pragma once

#include "base/clock.hpp"
#include "base/intrusive_list.hpp"

#include <array>
#include <cstdint>

namespace clearcoat::net {

struct wheel_tag;
class timer_wheel;

/// One timeout. While armed it is linked into the wheel; destroying it cancels it.
class timer_entry : private base::list_hook<wheel_tag> {
  public:
    timer_entry() = default;
    virtual ~timer_entry() { cancel(); }

    bool armed() const noexcept { return linked(); }
    /// Harmless when not armed.
    void cancel() noexcept { unlink(); }

  protected:
    /// Called by timer_wheel::advance() once the deadline has passed, with the entry already unlinked. It may arm or
    /// destroy any entry.
    virtual void expired() noexcept = 0;
    /// Called when the loop ends, with the entry already unlinked: nothing will come of it any more.
    virtual void abandoned() noexcept {}

  private:
    friend class timer_wheel;
    friend class loop;
    friend class base::intrusive_list<timer_entry, wheel_tag>;
    std::uint64_t tick_ = 0;
};

class timer_wheel {
  public:
    static constexpr base::seconds tick_length = 0.010;

    /// `now` is the time on the owner's monotonic clock.
    explicit timer_wheel(base::seconds now) noexcept;

    /// Arms `entry`, or moves it, to fire not before `deadline`, at the latest one tick after it. An infinite deadline
    /// cancels it; one in the past fires with the next tick. Deadlines beyond 20 years fire then.
    void arm(timer_entry& entry, base::seconds deadline) noexcept;

    /// Fires everything that is due at `now`; returns how many fired.
    std::size_t advance(base::seconds now) noexcept;

    /// Takes out some entry, unfired; nullptr when none is armed.
    timer_entry* take_any() noexcept;

    /// When advance() has something to do at the earliest (firing or moving entries down a level); infinite when empty.
    /// Cancelled entries may make it earlier than needed, never later.
    base::seconds next() const noexcept;

    bool empty() const noexcept;

  private:
    static constexpr unsigned bits = 6;
    static constexpr unsigned slots = 1u << bits;
    static constexpr unsigned levels = 6;
    using slot_list = base::intrusive_list<timer_entry, wheel_tag>;

    void place(timer_entry& entry) noexcept;
    void cascade(unsigned level) noexcept;
    std::size_t fire(unsigned slot) noexcept;
    std::uint64_t tick_of(base::seconds at) const noexcept;
    std::uint64_t next_tick() const noexcept;

    base::seconds start_;
    std::uint64_t current_ = 0; // every tick up to this one has been fired; digits of `bits` bits
    std::array<std::uint64_t, levels> occupied_{};
    std::array<std::array<slot_list, slots>, levels> wheel_;
};

} // namespace clearcoat::net
