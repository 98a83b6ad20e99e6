// What a storage engine is to the cache: a place with a budget that hands out memory for heads and body segments. The
// budget counts everything an object costs: head blocks, segments, the object's own structures, and the allocator's
// overhead. Engines are thread-safe and never evict: the index does.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace clearcoat::cache {

/// The counters of a storage in the order of the VSC sections SMA (the first seven) and SMF (all).
struct storage_counters {
    std::uint64_t c_req = 0;       // allocations asked for
    std::uint64_t c_fail = 0;      // of them refused
    std::uint64_t c_bytes = 0;     // bytes handed out, ever
    std::uint64_t c_freed = 0;     // bytes given back, ever
    std::uint64_t g_alloc = 0;     // allocations outstanding
    std::uint64_t g_bytes = 0;     // bytes outstanding
    std::uint64_t g_space = 0;     // bytes left
    std::uint64_t g_smf = 0;       // extents, used or free
    std::uint64_t g_smf_frag = 0;  // free extents too small for most
    std::uint64_t g_smf_large = 0; // free extents that are large
};

class storage {
  public:
    enum class engine : std::uint8_t { malloc, file };

    /// `identity` is the name after storage. in VCL ("s0", "Transient"); `kind` as in the log's Storage record.
    storage(engine kind, std::string identity);
    virtual ~storage() = default;
    storage(const storage&) = delete;
    storage& operator=(const storage&) = delete;

    engine kind() const noexcept { return kind_; }
    /// "malloc" or "file".
    std::string_view kind_name() const noexcept;
    const std::string& identity() const noexcept { return identity_; }
    /// "SMA" or "SMF": the counters' section.
    std::string_view counter_section() const noexcept;
    /// Place in its storage_set; the index keeps an LRU list for each.
    std::size_t number() const noexcept { return number_; }
    void set_number(std::size_t n) noexcept { number_ = n; }

    /// At least `least` and at most `size` bytes (as many as there are room for), aligned to 16. nullptr when there is
    /// no room. `size` becomes what is usable.
    virtual char* allocate(std::size_t& size, std::size_t least) noexcept = 0;
    /// `size` as allocate() left it.
    virtual void free(char* block, std::size_t size) noexcept = 0;
    /// Counts memory that lives elsewhere (an object's structures) against the budget. False when it does not fit.
    virtual bool charge(std::size_t bytes) noexcept = 0;
    virtual void discharge(std::size_t bytes) noexcept = 0;

    /// storage.NAME.free_space and used_space, bytes. An engine without limit has no free space to tell: 0.
    virtual std::uint64_t free_space() const noexcept = 0;
    virtual std::uint64_t used_space() const noexcept = 0;
    /// storage.NAME.happy.
    virtual bool happy() const noexcept { return true; }

    /// Moves the counters to `place` (a VSC segment that outlives the storage); call before threads start.
    void bind_counters(storage_counters& place) noexcept;
    storage_counters counters() const noexcept;

  protected:
    void count_request() noexcept { add(&storage_counters::c_req, 1); }
    void count_failure() noexcept { add(&storage_counters::c_fail, 1); }
    void count_allocated(std::size_t bytes, std::uint64_t blocks, bool limited) noexcept;
    void count_freed(std::size_t bytes, std::uint64_t blocks, bool limited) noexcept;
    void set_space(std::uint64_t bytes) noexcept { counters_->g_space = bytes; }
    void add(std::uint64_t storage_counters::*field, std::uint64_t n) noexcept {
        std::atomic_ref(counters_->*field).fetch_add(n, std::memory_order_relaxed);
    }
    void subtract(std::uint64_t storage_counters::*field, std::uint64_t n) noexcept {
        std::atomic_ref(counters_->*field).fetch_sub(n, std::memory_order_relaxed);
    }

  private:
    engine kind_;
    std::string identity_;
    std::size_t number_ = 0;
    storage_counters own_;
    storage_counters* counters_ = &own_;
};

} // namespace clearcoat::cache
