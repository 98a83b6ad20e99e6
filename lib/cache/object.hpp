// A cached (or passing, or synthetic) response: timing, flags, the packed head, the body's segments and its state while
// it is fetched. Reference counted; any thread may hold and read one. What may be written, by whom and when is said at
// each group of members. It knows nothing of HTTP: heads are opaque bytes.
#pragma once

#include "base/intrusive_list.hpp"
#include "base/log.hpp"
#include "base/thread_annotations.hpp"
#include "cache/waiter.hpp"

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace clearcoat::cache {

class ban;
class storage;
class shard;
struct body_segment;
struct key_head;

/// Bits of object::flags().
enum class object_flag : std::uint32_t {
    busy = 1u << 0,              // in the index, head not known yet
    hit_for_miss = 1u << 1,      // marker: do not coalesce
    hit_for_pass = 1u << 2,      // marker: pass
    is_private = 1u << 3,        // never in the index: pass, synthetic
    dying = 1u << 4,             // no longer found by lookup
    failed = 1u << 5,            // its fetch failed
    cancel = 1u << 6,            // nobody wants it any more; the fetch should stop
    abandoned = 1u << 7,         // the client that waits for it gave up before the head came
    purged = 1u << 8,            // rearmed by a purge
    gzipped = 1u << 9,           // body is gzip
    encoding_changed = 1u << 10, // gzip or gunzip happened at fetch
    ims_candidate = 1u << 11,    // fit for a conditional fetch
    esi = 1u << 12,              // has ESI data
    imprecise = 1u << 13,        // for the user: length or head are not final
};

/// How far a fetch is. Only ever grows.
enum class object_state : std::uint8_t {
    created,      // nothing known
    request_sent, // the request (and its body) went to the backend
    streaming,    // head complete, body growing
    finished,     // all there
    failed        // will never be complete
};

/// What a watcher compares: state and bytes of body that can be read.
struct object_progress {
    object_state state = object_state::created;
    std::uint64_t length = 0;
    friend bool operator==(const object_progress&, const object_progress&) = default;
};

/// Seconds. Fresh until t_origin + ttl, then stale within grace, then kept for revalidation.
struct object_timing {
    double t_origin = 0;
    double ttl = 0;
    double grace = 0;
    double keep = 0;

    double fresh_until() const noexcept { return t_origin + ttl; }
    double expires() const noexcept { return t_origin + ttl + grace + keep; }
};

/// Where the bits of a gzip body are, for stitching (facts as in the reference's attribute).
struct gzip_layout {
    std::uint64_t start_bit = 0;
    std::uint64_t last_bit = 0;
    std::uint64_t stop_bit = 0;
    std::uint64_t crc = 0;
    std::uint64_t plain_length = 0;
};

struct in_key;
struct in_lru;
struct in_ban;

class object : public base::list_hook<in_key>, public base::list_hook<in_lru>, public base::list_hook<in_ban> {
  public:
    object(const object&) = delete;
    object& operator=(const object&) = delete;

    /// --- flags: atomically readable; setting is the fetch's business before unbusy, the index's afterwards.
    bool has(object_flag flag) const noexcept {
        return (flags_.load(std::memory_order_acquire) & static_cast<std::uint32_t>(flag)) != 0;
    }
    std::uint32_t flags() const noexcept { return flags_.load(std::memory_order_acquire); }
    void set(object_flag flag) noexcept { flags_.fetch_or(static_cast<std::uint32_t>(flag)); }
    void clear(object_flag flag) noexcept { flags_.fetch_and(~static_cast<std::uint32_t>(flag)); }

    /// --- timing: readable at any time. set_timing() is for the fetch before unbusy; later use index::rearm().
    object_timing timing() const noexcept {
        return {t_origin_.load(std::memory_order_relaxed), ttl_.load(std::memory_order_relaxed),
                grace_.load(std::memory_order_relaxed), keep_.load(std::memory_order_relaxed)};
    }
    void set_timing(const object_timing& t) noexcept {
        t_origin_.store(t.t_origin, std::memory_order_relaxed);
        ttl_.store(t.ttl, std::memory_order_relaxed);
        grace_.store(t.grace, std::memory_order_relaxed);
        keep_.store(t.keep, std::memory_order_relaxed);
    }
    std::uint64_t hits() const noexcept { return hits_.load(std::memory_order_relaxed); }
    /// When the object was last moved to the young end of its LRU list (seconds, real); 0 when it is in none.
    double last_lru() const noexcept { return last_lru_.load(std::memory_order_relaxed); }

    /// --- content: written by the fetch before the state becomes streaming, then constant.
    base::vxid_number vxid() const noexcept { return vxid_; }
    void set_vxid(base::vxid_number vxid) noexcept { vxid_ = vxid; }
    /// The packed head, as http/ wrote it.
    std::string_view head() const noexcept { return {head_block_, head_size_}; }
    /// The vary spec; empty when the response does not vary.
    std::string_view vary() const noexcept {
        return vary_size_ == 0 ? std::string_view() : std::string_view(head_block_ + head_size_, vary_size_);
    }
    /// Writable forms of the two, after index::prepare() and before the head is published.
    std::span<char> head_room() noexcept { return {head_block_, head_size_}; }
    std::span<char> vary_room() noexcept { return {head_block_ + head_size_, vary_size_}; }
    double last_modified() const noexcept { return last_modified_; }
    void set_last_modified(double when) noexcept { last_modified_ = when; }
    /// ESI data written by index::attach(); known at the latest when the state is finished.
    std::string_view esi_data() const noexcept { return {esi_block_, esi_size_}; }
    const gzip_layout* gzip() const noexcept { return gzip_; }
    /// nullptr until prepare().
    storage* where() const noexcept { return storage_; }

    /// --- progress: readable at any time without a lock.
    object_progress progress() const noexcept {
        // State first: a length read after `finished` was seen is the final one.
        const object_state state = state_.load(std::memory_order_acquire);
        return {state, length_.load(std::memory_order_acquire)};
    }
    object_state state() const noexcept { return state_.load(std::memory_order_acquire); }
    /// Bytes of body that can be read now; the body's length when finished.
    std::uint64_t length() const noexcept { return length_.load(std::memory_order_acquire); }
    /// The length the body will have, where known beforehand (Content-Length); -1 otherwise. Informative.
    std::int64_t expected_length() const noexcept { return expected_length_.load(std::memory_order_relaxed); }
    void set_expected_length(std::int64_t n) noexcept { expected_length_.store(n, std::memory_order_relaxed); }
    /// Registers `w` when the progress still is `seen`; false when it changed (look again, nothing was registered).
    bool watch(waiter& w, const object_progress& seen) noexcept EXCLUDES(growth_);
    /// True: `w` was taken off the list and will not be woken. False: it was or is being woken.
    bool unwatch(waiter& w) noexcept EXCLUDES(growth_);
    /// Moves on to `next` (greater than the present state) and wakes who watches. The fetch's business; finished and
    /// failed are reached through body_writer and index::abandon().
    void advance(object_state next) noexcept EXCLUDES(growth_);

    /// --- back-pressure for private objects: the fetch may wait until its only reader took enough.
    std::uint64_t consumed() const noexcept { return consumed_.load(std::memory_order_acquire); }
    /// Registers `w` (of the fetch) when more than `limit` published bytes are unread; false when not.
    bool watch_drain(waiter& w, std::uint64_t limit) noexcept EXCLUDES(growth_);
    bool unwatch_drain(waiter& w) noexcept EXCLUDES(growth_);

  private:
    friend class object_ref;
    friend class index;
    friend class shard;
    friend class expiry_heap;
    friend class lru_lists;
    friend class key_table;
    friend class body_writer;
    friend class body_cursor;
    friend class ban_list;
    friend struct object_access; // tests

    /// One reference, for the caller; counted by `owner`, whether or not it is ever found there.
    explicit object(shard& owner) noexcept;
    ~object();

    void add_ref() noexcept { refs_.fetch_add(1, std::memory_order_relaxed); }
    void release() noexcept {
        if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            destroy();
        }
    }
    void destroy() noexcept;
    void give_storage_back() noexcept;
    void publish(std::uint64_t length) noexcept EXCLUDES(growth_);
    void free_chain(body_segment* first) noexcept;
    void free_retired() noexcept EXCLUDES(growth_);
    void note_consumed(std::uint64_t position) noexcept EXCLUDES(growth_);

    // First what every lookup reads and writes, so that it shares as few cache lines as possible.
    std::atomic<std::uint32_t> refs_{1};
    std::atomic<std::uint32_t> flags_{0};
    std::atomic<double> t_origin_{0};
    std::atomic<double> ttl_{0};
    std::atomic<double> grace_{0};
    std::atomic<double> keep_{0};
    std::atomic<std::uint64_t> hits_{0};
    std::atomic<double> last_lru_{0};
    std::atomic<ban*> ban_{nullptr}; // written under the ban list's mutex
    char* head_block_ = nullptr;
    std::uint32_t head_size_ = 0;
    std::uint32_t vary_size_ = 0;

    shard& owner_;
    base::vxid_number vxid_ = 0;
    double last_modified_ = 0;
    storage* storage_ = nullptr;
    char* esi_block_ = nullptr;
    std::uint32_t esi_size_ = 0;
    std::size_t charged_ = 0; // structures in the heap, counted in storage_

    // Growth: written by the one fetch, read by any number of cursors.
    std::atomic<object_state> state_{object_state::created};
    base::small_mutex growth_;
    std::atomic<std::uint64_t> length_{0};
    std::atomic<std::int64_t> expected_length_{-1};
    std::atomic<std::uint64_t> consumed_{0};
    std::atomic<body_segment*> first_{nullptr};
    body_segment* last_ = nullptr;                        // the fetch's own
    std::atomic<std::uint32_t> streamers_{0};             // cursors that began before the body was finished
    body_segment* retired_ GUARDED_BY(growth_) = nullptr; // trimmed away, still under the eyes of streamers
    waiter_queue watchers_ GUARDED_BY(growth_);
    waiter_queue drain_ GUARDED_BY(growth_);
    gzip_layout* gzip_ = nullptr;

    // Guarded by the mutex of the shard that holds the key.
    key_head* key_ = nullptr;
    char* predicted_vary_ = nullptr; // of a busy object: who need not wait for it
    std::uint32_t predicted_vary_size_ = 0;
    std::uint32_t heap_slot_ = 0; // 1-based place in the expiry heap; 0 none

    std::uint32_t lurker_pass_ = 0; // guarded by the ban list's mutex
};

/// Shared ownership of an object.
class object_ref {
  public:
    object_ref() = default;
    /// Takes another reference.
    explicit object_ref(object& o) noexcept : object_(&o) { o.add_ref(); }
    object_ref(const object_ref& other) noexcept : object_(other.object_) {
        if (object_ != nullptr) {
            object_->add_ref();
        }
    }
    object_ref(object_ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    object_ref& operator=(object_ref other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~object_ref() { reset(); }

    /// Takes over a reference that is already counted.
    static object_ref adopt(object* o) noexcept {
        object_ref ref;
        ref.object_ = o;
        return ref;
    }
    void reset() noexcept {
        if (object* o = std::exchange(object_, nullptr)) {
            o->release();
        }
    }
    object* get() const noexcept { return object_; }
    object& operator*() const noexcept { return *object_; }
    object* operator->() const noexcept { return object_; }
    explicit operator bool() const noexcept { return object_ != nullptr; }

  private:
    object* object_ = nullptr;
};

} // namespace clearcoat::cache
