// The manager's event loop: descriptors, timers, a stop flag. One thread. The manager handles a few events a second and
// talks to its worker in lockstep, so poll(2) serves; callbacks may add and remove anything, themselves included.
#pragma once

#include "base/clock.hpp"

#include <cstdint>
#include <functional>
#include <map>

namespace clearcoat::manager {

class event_loop {
  public:
    using callback = std::function<void()>;
    using timer = std::uint64_t;

    explicit event_loop(const base::clock& clock = base::system_clock()) noexcept : clock_(clock) {}

    /// Calls back whenever `fd` can be read (or was closed by the other side), or written. One callback a kind and
    /// descriptor; an empty one takes it away.
    void on_readable(int fd, callback call);
    void on_writable(int fd, callback call);
    /// Takes both away; before the descriptor is closed.
    void forget(int fd);

    /// Calls back once, in `delay` seconds.
    timer after(base::seconds delay, callback call);
    /// Harmless for a timer that has run.
    void cancel(timer id);

    /// Runs until stop().
    void run();
    /// Waits for one event or at most `longest` seconds, and handles what there is.
    void run_once(base::seconds longest);
    void stop() noexcept { stopped_ = true; }
    bool stopped() const noexcept { return stopped_; }

  private:
    struct watch {
        callback readable;
        callback writable;
        std::uint64_t birth; // tells a descriptor from an earlier one of the same number
    };
    void run_timers();
    base::seconds next_timer(base::seconds longest) const;
    void dispatch(int fd, std::uint64_t birth, short events);
    watch& watch_of(int fd);
    void drop_if_empty(int fd);

    const base::clock& clock_;
    std::map<int, watch> watches_;
    std::map<std::pair<base::seconds, timer>, callback> timers_;
    std::uint64_t counter_ = 0;
    bool stopped_ = false;
};

} // namespace clearcoat::manager
