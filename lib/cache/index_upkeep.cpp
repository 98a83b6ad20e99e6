// The index's slow side: timers, purge, expiry and eviction.
#include "cache/graveyard.hpp"
#include "cache/index.hpp"
#include "cache/shard.hpp"
#include "cache/storage/storage_set.hpp"
#include "tables/counters.hpp"
#include "tables/param_block.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/core.h>

namespace clearcoat::cache {

namespace {

constexpr std::size_t expiry_batch = 64;    // objects taken out in one hold of a shard's mutex
constexpr double longest_expiry_sleep = 10; // seconds

void set_timers(shard& home, object& o, double now, double ttl, double grace, double keep) noexcept
    REQUIRES(home.guard()) {
    object_timing t = o.timing();
    if (!std::isnan(ttl)) {
        t.ttl = now + ttl - t.t_origin;
    }
    if (!std::isnan(grace)) {
        t.grace = grace;
    }
    if (!std::isnan(keep)) {
        t.keep = keep;
    }
    o.set_timing(t);
    home.rearm(o, t.expires());
}

} // namespace

void index::kick_if_due(double when) noexcept {
    if (when < reported_deadline_.load(std::memory_order_acquire) && housekeeper_ != nullptr) {
        housekeeper_->kick();
    }
}

void index::rearm(object& o, double now, double ttl, double grace, double keep) noexcept {
    shard& home = o.owner_;
    {
        base::lock_guard lock(home.guard());
        if (o.key_ == nullptr || !expiry_heap::contains(o)) {
            return;
        }
        set_timers(home, o, now, ttl, grace, keep);
    }
    kick_if_due(o.timing().expires());
}

std::size_t index::purge(const base::digest& key, double now, double ttl, double grace, double keep) noexcept {
    const bool at_once = ttl <= 0 && grace <= 0 && keep <= 0;
    shard& home = shard_of(key);
    std::size_t count = 0;
    {
        graveyard dead(bans_, keys_, watcher_);
        base::lock_guard lock(home.guard());
        key_head* head = home.find(key);
        if (head == nullptr) {
            tables::bump(counters_.n_purges);
            return 0;
        }
        for (object& o : head->objects) {
            if (o.has(object_flag::busy)) {
                continue;
            }
            ++count;
            o.set(object_flag::purged);
            set_timers(home, o, now, ttl, grace, keep);
            if (at_once && home.remove(o)) {
                dead.add(o);
            }
        }
        home.tidy(*head);
    }
    tables::bump(counters_.n_purges);
    tables::bump(counters_.n_obj_purged, count);
    if (at_once) {
        tables::bump(counters_.n_expired, count);
    }
    kick_if_due(now + std::max(0.0, ttl));
    return count;
}

std::size_t index::purge_surrogate_key(std::string_view key, double now, bool soft) noexcept {
    const std::vector<object_ref> carriers = keys_.find(key);
    for (const object_ref& o : carriers) {
        o->set(object_flag::purged);
        if (soft) {
            rearm(*o, now, 0, unchanged, unchanged);
        } else {
            kill(*o);
        }
    }
    tables::bump(counters_.n_obj_purged, carriers.size());
    if (!soft) {
        tables::bump(counters_.n_expired, carriers.size());
    }
    return carriers.size();
}

void index::log_object(const char* event, const object& o, double when) noexcept {
    expiry_log_->expiry(fmt::format("{} p={} e={:.6f} f=0x{:x}", event, static_cast<const void*>(&o), when, o.flags()));
}

// Tells what will run out first, and in how many seconds.
void index::log_next(double now) noexcept {
    const auto first = std::min_element(shards_.begin(), shards_.end(), [](const auto& a, const auto& b) {
        return a->next_deadline() < b->next_deadline();
    });
    object_ref next;
    {
        base::lock_guard lock((*first)->guard());
        if (object* o = (*first)->next_to_expire()) {
            next = object_ref(*o);
        }
    }
    if (next) {
        log_object("EXP_expire", *next, next->timing().expires() - now);
    }
}

std::size_t index::expire_batch(shard& home, double now) noexcept {
    const bool tell = log_wanted();
    std::vector<object_ref> told;
    std::size_t n = 0;
    {
        graveyard dead(bans_, keys_, watcher_);
        base::lock_guard lock(home.guard());
        for (object* o = home.overdue(now); o != nullptr && n < expiry_batch; o = home.overdue(now)) {
            key_head& head = home.head_of(*o);
            home.remove(*o);
            dead.add(*o);
            home.tidy(head);
            ++n;
            if (tell) {
                told.emplace_back(*o);
            }
        }
    }
    for (const object_ref& o : told) {
        expiry_log_->expiry(fmt::format("EXP_Expired x={} t={:.0f}", o->vxid(), o->timing().fresh_until() - now));
    }
    return n;
}

index::expiry_report index::expire(double now) noexcept {
    expiry_report report{0, now + longest_expiry_sleep};
    // While this looks around, every new deadline must kick: the place it belongs to may have been passed already.
    reported_deadline_.store(lru_lists::nothing, std::memory_order_release);
    if (log_wanted()) {
        log_next(now);
    }
    for (auto& s : shards_) {
        while (s->next_deadline() <= now) {
            const std::size_t n = expire_batch(*s, now);
            report.expired += n;
            tables::bump(counters_.n_expired, n);
        }
        report.next = std::min(report.next, s->next_deadline());
    }
    reported_deadline_.store(report.next, std::memory_order_release);
    return report;
}

// Evicts from `home` unless what may go there was used later than `no_later`.
bool index::evict_from(shard& home, storage& where, double no_later) noexcept {
    graveyard dead(bans_, keys_, watcher_);
    base::lock_guard lock(home.guard());
    object* o = home.idle(where.number());
    if (o == nullptr || o->last_lru() > no_later) {
        return false;
    }
    key_head& head = *o->key_;
    home.remove(*o);
    dead.add(*o);
    home.tidy(head);
    tables::bump(counters_.n_lru_nuked);
    return true;
}

bool index::evict_one(storage& where) noexcept {
    // A shard that looked oldest may hold only younger idle objects; it says so afterwards, and another is tried.
    for (std::size_t tries = 0; tries != shards_.size(); ++tries) {
        const auto best = std::min_element(shards_.begin(), shards_.end(), [&](const auto& a, const auto& b) {
            return a->oldest(where.number()) < b->oldest(where.number());
        });
        const double oldest = (*best)->oldest(where.number());
        if (oldest == lru_lists::nothing) {
            break;
        }
        if (evict_from(**best, where, oldest)) {
            return true;
        }
    }
    return std::any_of(shards_.begin(), shards_.end(),
                       [&](const auto& s) { return evict_from(*s, where, lru_lists::nothing); });
}

} // namespace clearcoat::cache
