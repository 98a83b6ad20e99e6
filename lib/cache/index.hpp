// The cache: finds objects by key, lets one fetch serve all who ask, keeps LRU order and expiry, and makes room. All
// functions may be called from any thread at once. Sharded: a key belongs to one shard, each with its own mutex; lock
// order is shard, then ban list. Nothing here blocks or does I/O.
#pragma once

#include "base/sha256.hpp"
#include "cache/ban_list.hpp"
#include "cache/expiry_log.hpp"
#include "cache/housekeeping.hpp"
#include "cache/lookup.hpp"
#include "cache/object.hpp"
#include "cache/object_watcher.hpp"
#include "cache/storage/storage.hpp"
#include "cache/surrogate_keys.hpp"

#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace clearcoat::tables {
struct main_counters;
class param_block;
} // namespace clearcoat::tables

namespace clearcoat::cache {

class shard;
class storage_set;

/// A value of rearm() that leaves a timer as it is.
constexpr double unchanged = std::numeric_limits<double>::quiet_NaN();

class index final : private object_killer {
  public:
    /// What it is given outlives it. `storages` is complete: no storage is added later.
    index(const tables::param_block& params, tables::main_counters& counters, storage_set& storages, ban_list& bans,
          std::size_t shards = 128);
    ~index();
    index(const index&) = delete;
    index& operator=(const index&) = delete;

    /// --- finding
    /// The one way to a cached object. A verdict with `busy` obliges the caller to have it fetched: unbusy() or
    /// abandon() must follow, else requests wait for ever.
    lookup_result lookup(const lookup_request& request) noexcept;
    /// Takes a request off the waiting list. True: it will not be woken. False: it was or is being woken; then the
    /// wake-up is passed on to the next who waits, since this one will not look up again.
    bool cancel_wait(const base::digest& key, waiter& w) noexcept;
    /// A busy object outside the index, for pass and synthetic answers. Its fetch calls unbusy() or abandon() too.
    object_ref make_private() noexcept;

    /// --- filling (the fetch)
    /// Gives `o` its place in `where` and room for the packed head and the vary spec, evicting others when needed (at
    /// most nuke_limit). False when there is no room. Once for each object.
    bool prepare(object& o, storage& where, std::size_t head_size, std::size_t vary_size) noexcept;
    /// ESI data, copied into the object's storage; once. False when there is no room.
    bool attach_esi(object& o, std::string_view data) noexcept;
    /// False when there is no room.
    bool attach_gzip(object& o, const gzip_layout& layout) noexcept;
    /// Takes prepare() back: frees head and body of an object that nobody could see yet (before unbusy), so that it can
    /// be prepared anew, for an error page. Its body_writer was dropped before.
    void withdraw(object& o) noexcept;
    /// Whether requests wait for the key of the busy object `o`.
    bool has_waiters(const object& o) noexcept;
    /// The head is complete: found by lookup from now on, watched by bans, armed for expiry; who waits for the key is
    /// woken, a few at a time. Needs prepare() and set_timing(). Leaves the state to advance(). `surrogate` holds the
    /// keys it is found by, where keys().wanted().
    void unbusy(object& o, std::string_view surrogate = {}) noexcept;
    /// The fetch failed, before or after unbusy(): the object becomes `failed`, is found no more, and all who wait
    /// learn it.
    void abandon(object& o) noexcept;

    /// --- changing what is cached
    /// New timers, counted from `now`: ttl (from now on), grace, keep; `unchanged` leaves one as it is. No effect on
    /// objects that are not in the index.
    void rearm(object& o, double now, double ttl, double grace, double keep) noexcept;
    /// Rearms every variant of `key` but busy ones, as purge does (0, 0, 0: gone at once). Gives the number.
    std::size_t purge(const base::digest& key, double now, double ttl = 0, double grace = 0, double keep = 0) noexcept;
    /// The same for every object that carries a surrogate key; `soft` ends its ttl only.
    std::size_t purge_surrogate_key(std::string_view key, double now, bool soft) noexcept;
    /// Found no more, removed at once; who holds it may go on reading.
    void kill(object& o) noexcept override;
    /// Nobody reads `o` any more: a private or marker object whose fetch still runs gets the flag `cancel`.
    void cancel(object& o) noexcept;

    /// --- time and room (housekeeping, storages)
    struct expiry_report {
        std::size_t expired = 0;
        double next = 0; // when to come again at the latest (seconds, real)
    };
    /// Removes what has run out of keep.
    expiry_report expire(double now) noexcept;
    /// Evicts the least recently used idle object of `where` (approximately, over all shards). False when none can go.
    bool evict_one(storage& where) noexcept;
    /// Who is told when something is due earlier than expire() said. Set before threads start.
    void set_housekeeper(housekeeper* h) noexcept { housekeeper_ = h; }

    /// For the ban lurker.
    object_killer& killer() noexcept { return *this; }
    /// Who learns of objects that come and go; nullptr for nobody. Set before threads start.
    void set_object_watcher(object_watcher* watcher) noexcept { watcher_ = watcher; }
    /// Who gets the texts of ExpKill records; nullptr for nobody. Set before threads start.
    void set_expiry_log(expiry_log* log) noexcept { expiry_log_ = log; }

    ban_list& bans() noexcept { return bans_; }
    storage_set& storages() noexcept { return storages_; }
    surrogate_keys& keys() noexcept { return keys_; }
    /// The counters this cache keeps: n_object*, n_expired, n_lru_*, n_purges, n_obj_purged, busy_sleep, busy_wakeup,
    /// and through the ban list bans*. Hits and misses are counted by who asks.
    tables::main_counters& counters() noexcept { return counters_; }
    const tables::param_block& params() const noexcept { return params_; }
    /// Of the shards' mutexes.
    base::lock_totals locks() const noexcept;

  private:
    friend class body_writer;

    shard& shard_of(const base::digest& key) noexcept;
    /// Takes `o` out of the index and lets it go; `wake` when requests may wait for it.
    void drop(object& o, bool wake) noexcept;
    void kick_if_due(double when) noexcept;
    bool make_room(storage& where, unsigned& nukes) noexcept;
    std::size_t expire_batch(shard& home, double now) noexcept;
    bool log_wanted() const noexcept { return expiry_log_ != nullptr && expiry_log_->wanted(); }
    void log_object(const char* event, const object& o, double when) noexcept;
    void log_next(double now) noexcept;
    bool evict_from(shard& home, storage& where, double no_later) noexcept;
    /// Memory in `where`, evicting until there is some or `nukes` is used up.
    char* allocate(storage& where, std::size_t& size, std::size_t least, unsigned& nukes) noexcept;
    /// The body is complete: the object joins the LRU list.
    void completed(object& o, double now) noexcept;

    const tables::param_block& params_;
    tables::main_counters& counters_;
    storage_set& storages_;
    ban_list& bans_;
    housekeeper* housekeeper_ = nullptr;
    expiry_log* expiry_log_ = nullptr;
    object_watcher* watcher_ = nullptr;
    surrogate_keys keys_;
    std::size_t mask_;
    std::vector<std::unique_ptr<shard>> shards_;
    std::atomic<double> reported_deadline_{0}; // what expire() last answered
};

} // namespace clearcoat::cache
