#include "manager/event_loop.hpp"

#include <algorithm>
#include <cmath>
#include <poll.h>
#include <vector>

namespace clearcoat::manager {

event_loop::watch& event_loop::watch_of(int fd) {
    const auto [at, is_new] = watches_.try_emplace(fd);
    if (is_new) {
        at->second.birth = ++counter_;
    }
    return at->second;
}

void event_loop::drop_if_empty(int fd) {
    const auto at = watches_.find(fd);
    if (at != watches_.end() && !at->second.readable && !at->second.writable) {
        watches_.erase(at);
    }
}

void event_loop::on_readable(int fd, callback call) {
    watch_of(fd).readable = std::move(call);
    drop_if_empty(fd);
}

void event_loop::on_writable(int fd, callback call) {
    watch_of(fd).writable = std::move(call);
    drop_if_empty(fd);
}

void event_loop::forget(int fd) {
    watches_.erase(fd);
}

event_loop::timer event_loop::after(base::seconds delay, callback call) {
    const timer id = ++counter_;
    timers_.emplace(std::pair(clock_.monotonic() + delay, id), std::move(call));
    return id;
}

void event_loop::cancel(timer id) {
    const auto at = std::find_if(timers_.begin(), timers_.end(), [id](const auto& t) { return t.first.second == id; });
    if (at != timers_.end()) {
        timers_.erase(at);
    }
}

void event_loop::run_timers() {
    const base::seconds now = clock_.monotonic();
    // Only those that are due now: a callback that sets a timer of no delay must not keep the loop here.
    while (!timers_.empty() && timers_.begin()->first.first <= now && !stopped_) {
        const callback call = std::move(timers_.begin()->second);
        timers_.erase(timers_.begin());
        call();
    }
}

base::seconds event_loop::next_timer(base::seconds longest) const {
    if (timers_.empty()) {
        return longest;
    }
    return std::clamp(timers_.begin()->first.first - clock_.monotonic(), 0.0, longest);
}

void event_loop::dispatch(int fd, std::uint64_t birth, short events) {
    const auto same = [&] {
        const auto at = watches_.find(fd);
        return at != watches_.end() && at->second.birth == birth ? &at->second : nullptr;
    };
    if ((events & (POLLIN | POLLHUP | POLLERR | POLLNVAL)) != 0) {
        if (const watch* w = same(); w != nullptr && w->readable) {
            const callback call = w->readable;
            call();
        }
    }
    if ((events & (POLLOUT | POLLERR | POLLHUP)) != 0) {
        if (const watch* w = same(); w != nullptr && w->writable) {
            const callback call = w->writable;
            call();
        }
    }
}

void event_loop::run_once(base::seconds longest) {
    std::vector<pollfd> polled;
    std::vector<std::uint64_t> births;
    for (const auto& [fd, w] : watches_) {
        const int wanted = (w.readable ? POLLIN : 0) | (w.writable ? POLLOUT : 0);
        polled.push_back({fd, static_cast<short>(wanted), 0});
        births.push_back(w.birth);
    }
    const int wait = static_cast<int>(std::ceil(next_timer(longest) * 1e3));
    const int ready = ::poll(polled.data(), polled.size(), wait);
    for (std::size_t i = 0; ready > 0 && i < polled.size() && !stopped_; ++i) {
        if (polled[i].revents != 0) {
            dispatch(polled[i].fd, births[i], polled[i].revents);
        }
    }
    run_timers();
}

void event_loop::run() {
    while (!stopped_) {
        run_once(60);
    }
}

} // namespace clearcoat::manager
