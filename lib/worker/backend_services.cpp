#include "worker/backend_services.hpp"

#include "base/clock.hpp"

#include <algorithm>

namespace clearcoat::worker {

net::loop& backend_services::probe_loop() noexcept {
    return loops_[turn_.fetch_add(1, std::memory_order_relaxed) % loops_.size()]->loop();
}

tables::vbe_counters* backend_services::add_counters(std::string_view name) {
    const base::lock_guard lock(mutex_);
    segment& made = segments_.emplace_back(shared_.segments, name);
    made.hide();
    return made.get();
}

void backend_services::show_counters(tables::vbe_counters& counters, bool visible) noexcept {
    const base::lock_guard lock(mutex_);
    for (segment& s : segments_) {
        if (s.get() == &counters) {
            visible ? s.reveal() : s.hide();
        }
    }
}

void backend_services::remove_counters(tables::vbe_counters& counters) noexcept {
    const base::lock_guard lock(mutex_);
    std::erase_if(segments_, [&](const segment& s) { return s.get() == &counters; });
}

void backend_services::count_backends(int change) noexcept {
    tables::bump(shared_.counters.n_backend, static_cast<std::uint64_t>(static_cast<std::int64_t>(change)));
}

} // namespace clearcoat::worker
