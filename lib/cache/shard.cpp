#include "cache/shard.hpp"

#include "tables/counters.hpp"

#include <cstdlib>
#include <cstring>

namespace clearcoat::cache {

key_head& shard::find_or_make(const base::digest& key) {
    if (key_head* head = keys_.find(key)) {
        return *head;
    }
    auto* head = new key_head(key);
    keys_.insert(*head);
    tables::bump(counters_.n_objecthead);
    return *head;
}

void shard::tidy(key_head& head) noexcept {
    if (head.objects.empty() && head.waiting.empty()) {
        keys_.erase(head);
        tables::drop(counters_.n_objecthead);
    }
}

object& shard::make_busy(key_head& head, std::string_view predicted_vary) noexcept {
    auto* o = new object(*this);
    o->add_ref();
    o->set(object_flag::busy);
    o->key_ = &head;
    head.objects.push_back(*o);
    if (!predicted_vary.empty()) {
        o->predicted_vary_ = static_cast<char*>(std::malloc(predicted_vary.size()));
        if (o->predicted_vary_ != nullptr) {
            std::memcpy(o->predicted_vary_, predicted_vary.data(), predicted_vary.size());
            o->predicted_vary_size_ = static_cast<std::uint32_t>(predicted_vary.size());
        }
    }
    return *o;
}

void shard::show(object& o) noexcept {
    key_head& head = *o.key_;
    head.objects.erase(o);
    head.objects.push_front(o);
    o.clear(object_flag::busy);
    expiry_.insert(o, o.timing().expires());
    note_deadline();
}

bool shard::remove(object& o) noexcept {
    o.set(object_flag::dying);
    if (o.key_ == nullptr) {
        return false;
    }
    o.key_->objects.erase(o);
    o.key_ = nullptr;
    expiry_.erase(o);
    note_deadline();
    lru_.erase(o);
    return true;
}

void shard::rearm(object& o, double when) noexcept {
    if (expiry_heap::contains(o)) {
        expiry_.move(o, when);
        note_deadline();
    }
}

object* shard::overdue(double now) noexcept {
    return expiry_.next() <= now ? &expiry_.front() : nullptr;
}

void shard::hit(object& o, double now, double interval) noexcept {
    o.hits_.fetch_add(1, std::memory_order_relaxed);
    if (lru_lists::contains(o) && now - o.last_lru() >= interval) {
        lru_.erase(o);
        lru_.add(o, now);
        tables::bump(counters_.n_lru_moved);
    }
}

object* shard::idle(std::size_t storage) noexcept {
    object* o = lru_.first(storage);
    // New references come from lookups, which need this mutex, or from the ban lurker, which is content with a dying
    // object.
    while (o != nullptr && o->refs_.load(std::memory_order_acquire) != 1) {
        o = lru_.after(storage, *o);
    }
    lru_.skip_to(storage, o != nullptr ? o->last_lru() : lru_lists::nothing);
    return o;
}

void shard::rush(key_head& head, wake_list& out, std::size_t most) noexcept {
    const std::size_t n = head.waiting.take(out, most);
    if (n != 0) {
        tables::bump(counters_.busy_wakeup, n);
    }
}

} // namespace clearcoat::cache
