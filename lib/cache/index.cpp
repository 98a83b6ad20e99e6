#include "cache/index.hpp"

#include "cache/graveyard.hpp"
#include "cache/shard.hpp"
#include "cache/storage/storage_set.hpp"
#include "tables/counters.hpp"
#include "tables/param_block.hpp"

#include <bit>
#include <cstring>
#include <new>

namespace clearcoat::cache {

namespace {

// An object, its key and its places in bucket and heap: what it costs besides head and body.
constexpr std::size_t structures = heap_cost(sizeof(object)) + heap_cost(sizeof(key_head)) + 48;

} // namespace

index::index(const tables::param_block& params, tables::main_counters& counters, storage_set& storages, ban_list& bans,
             std::size_t shards)
    : params_(params), counters_(counters), storages_(storages), bans_(bans), mask_(std::bit_ceil(shards) - 1) {
    for (std::size_t i = 0; i <= mask_; ++i) {
        shards_.push_back(std::make_unique<shard>(counters, storages.size()));
    }
}

index::~index() {
    for (auto& s : shards_) {
        graveyard dead(bans_, keys_, watcher_);
        base::lock_guard lock(s->guard());
        while (key_head* head = s->any()) {
            for (object& o : head->objects) {
                s->remove(o);
                dead.add(o);
            }
            CLEARCOAT_ASSERT(head->waiting.empty());
            s->tidy(*head);
        }
    }
}

base::lock_totals index::locks() const noexcept {
    base::lock_totals all;
    for (const auto& s : shards_) {
        all += s->locks();
    }
    return all;
}

shard& index::shard_of(const base::digest& key) noexcept {
    std::uint64_t h;
    std::memcpy(&h, key.data() + 8, sizeof h); // not the bytes that choose the bucket
    return *shards_[h & mask_];
}

bool index::cancel_wait(const base::digest& key, waiter& w) noexcept {
    shard& home = shard_of(key);
    wake_list woken;
    base::lock_guard lock(home.guard());
    key_head* head = home.find(key);
    if (head == nullptr) {
        return false;
    }
    const bool waited = head->waiting.remove(w);
    if (!waited) {
        home.rush(*head, woken, 1);
    }
    home.tidy(*head);
    return waited;
}

object_ref index::make_private() noexcept {
    auto* o = new object(*shards_.front());
    o->set(object_flag::busy);
    o->set(object_flag::is_private);
    return object_ref::adopt(o);
}

bool index::make_room(storage& where, unsigned& nukes) noexcept {
    if (nukes == 0) {
        tables::bump(counters_.n_lru_limited);
        return false;
    }
    --nukes;
    return evict_one(where);
}

char* index::allocate(storage& where, std::size_t& size, std::size_t least, unsigned& nukes) noexcept {
    while (true) {
        std::size_t got = size;
        if (char* block = where.allocate(got, least)) {
            size = got;
            return block;
        }
        if (!make_room(where, nukes)) {
            return nullptr;
        }
    }
}

bool index::prepare(object& o, storage& where, std::size_t head_size, std::size_t vary_size) noexcept {
    CLEARCOAT_ASSERT(o.storage_ == nullptr);
    unsigned nukes = params_.nuke_limit();
    while (!where.charge(structures)) {
        if (!make_room(where, nukes)) {
            return false;
        }
    }
    std::size_t size = head_size + vary_size;
    char* block = size != 0 ? allocate(where, size, size, nukes) : nullptr;
    if (block == nullptr && size != 0) {
        where.discharge(structures);
        return false;
    }
    o.storage_ = &where;
    o.charged_ = structures;
    o.head_block_ = block;
    o.head_size_ = static_cast<std::uint32_t>(head_size);
    o.vary_size_ = static_cast<std::uint32_t>(vary_size);
    tables::bump(counters_.n_object);
    return true;
}

bool index::attach_esi(object& o, std::string_view data) noexcept {
    CLEARCOAT_ASSERT(o.storage_ != nullptr && o.esi_block_ == nullptr && !data.empty());
    unsigned nukes = params_.nuke_limit();
    std::size_t size = data.size();
    char* block = allocate(*o.storage_, size, size, nukes);
    if (block == nullptr) {
        return false;
    }
    std::memcpy(block, data.data(), data.size());
    o.esi_block_ = block;
    o.esi_size_ = static_cast<std::uint32_t>(data.size());
    o.set(object_flag::esi);
    return true;
}

bool index::attach_gzip(object& o, const gzip_layout& layout) noexcept {
    CLEARCOAT_ASSERT(o.storage_ != nullptr && o.gzip_ == nullptr);
    constexpr std::size_t cost = heap_cost(sizeof(gzip_layout));
    unsigned nukes = params_.nuke_limit();
    while (!o.storage_->charge(cost)) {
        if (!make_room(*o.storage_, nukes)) {
            return false;
        }
    }
    o.charged_ += cost;
    o.gzip_ = new gzip_layout(layout);
    return true;
}

void index::withdraw(object& o) noexcept {
    CLEARCOAT_ASSERT(o.has(object_flag::busy) && o.state() < object_state::streaming);
    o.give_storage_back();
}

bool index::has_waiters(const object& o) noexcept {
    shard& home = o.owner_;
    base::lock_guard lock(home.guard());
    return o.key_ != nullptr && !o.key_->waiting.empty();
}

void index::unbusy(object& o, std::string_view surrogate) noexcept {
    CLEARCOAT_ASSERT(o.storage_ != nullptr && o.has(object_flag::busy));
    if (o.has(object_flag::is_private)) {
        o.clear(object_flag::busy);
        return;
    }
    shard& home = o.owner_;
    bans_.attach(o);
    if (!surrogate.empty()) {
        keys_.add(o, surrogate);
    }
    bool shown = false;
    {
        wake_list woken;
        base::lock_guard lock(home.guard());
        if (o.key_ != nullptr) {
            shown = true;
            home.show(o);
            home.rush(*o.key_, woken, params_.rush_exponent());
        }
    }
    if (!shown) { // killed while it was busy
        bans_.detach(o);
        keys_.forget(o);
        o.clear(object_flag::busy);
        return;
    }
    if (watcher_ != nullptr && watcher_->wanted()) {
        watcher_->stored(o);
    }
    const double when = o.timing().expires();
    if (log_wanted()) {
        log_object("EXP_When", o, when);
    }
    kick_if_due(when);
}

void index::completed(object& o, double now) noexcept {
    shard& home = o.owner_;
    base::lock_guard lock(home.guard());
    if (o.key_ != nullptr && !o.has(object_flag::busy)) {
        home.join_lru(o, now);
    }
}

void index::drop(object& o, bool wake) noexcept {
    shard& home = o.owner_;
    wake_list woken;
    graveyard dead(bans_, keys_, watcher_);
    base::lock_guard lock(home.guard());
    key_head* head = o.key_;
    if (!home.remove(o)) {
        return;
    }
    dead.add(o);
    if (wake) {
        home.rush(*head, woken, params_.rush_exponent());
    }
    home.tidy(*head);
}

void index::abandon(object& o) noexcept {
    o.set(object_flag::failed);
    object_ref keep(o);
    drop(o, true);
    o.advance(object_state::failed);
}

void index::kill(object& o) noexcept {
    drop(o, o.has(object_flag::busy));
}

void index::cancel(object& o) noexcept {
    constexpr auto marks = static_cast<std::uint32_t>(object_flag::is_private) |
                           static_cast<std::uint32_t>(object_flag::hit_for_miss) |
                           static_cast<std::uint32_t>(object_flag::hit_for_pass);
    if ((o.flags() & marks) != 0 && o.state() < object_state::finished) {
        o.set(object_flag::cancel);
        o.note_consumed(o.consumed()); // a fetch that waits for its reader looks again
    }
}

} // namespace clearcoat::cache
