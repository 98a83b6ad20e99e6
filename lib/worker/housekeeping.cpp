#include "worker/housekeeping.hpp"

#include "base/clock.hpp"
#include "tables/log_tags.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace clearcoat::worker {

housekeeping::housekeeping(shared_state& shared, const lock_counters& locks)
    : shared_(shared), locks_(locks), started_(base::system_clock().monotonic()) {
    shared_.cache.set_housekeeper(this);
    shared_.cache.set_expiry_log(this);
    shared_.bans.set_housekeeper(this);
    thread_ = std::thread([this] { run(); });
}

housekeeping::~housekeeping() {
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake_.notify_one();
    thread_.join();
    shared_.cache.set_housekeeper(nullptr);
    shared_.cache.set_expiry_log(nullptr);
    shared_.bans.set_housekeeper(nullptr);
}

void housekeeping::kick() noexcept {
    {
        std::lock_guard lock(mutex_);
        kicked_ = true;
    }
    wake_.notify_one();
}

void housekeeping::banned(std::string_view text) noexcept {
    shared_.log.write_now(log_tag::ExpBan, text);
}

bool housekeeping::wanted() const noexcept {
    return !shared_.params.masked(log_tag::ExpKill);
}

void housekeeping::expiry(std::string_view text) noexcept {
    shared_.log.write_now(log_tag::ExpKill, text);
}

double housekeeping::step(double now) {
    const double age = base::system_clock().monotonic() - started_;
    tables::store(shared_.counters.uptime, static_cast<std::uint64_t>(age));
    locks_.refresh();
    const cache::index::expiry_report report = shared_.cache.expire(now);
    if (now >= lurk_at_) {
        lurk_at_ = now + shared_.bans.lurker_step(now, shared_.cache.killer(), this);
    }
    return std::clamp(std::min(report.next, lurk_at_) - now, 0.001, 0.1);
}

void housekeeping::run() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        if (std::exchange(kicked_, false)) {
            lurk_at_ = 0;
        }
        lock.unlock();
        const double pause = step(base::system_clock().real());
        lock.lock();
        wake_.wait_for(lock, std::chrono::duration<double>(pause), [this] { return stopping_ || kicked_; });
    }
}

} // namespace clearcoat::worker
