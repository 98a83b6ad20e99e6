// What a storage engine is to the cache: a place with a budget that hands out memory for heads and body segments. The
// budget counts everything an object costs: head blocks, segments, the object's own structures, and the allocator's
// overhead. Engines are thread-safe and never evict: the index does.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace clearcoat::cache {

/// The counters of a storage in the order of the VSC sections SMA (the first seven) and SMF (all).
enum class storage_counter : std::uint8_t {
    c_req,      // allocations asked for
    c_fail,     // of them refused
    c_bytes,    // bytes handed out, ever
    c_freed,    // bytes given back, ever
    g_alloc,    // allocations outstanding
    g_bytes,    // bytes outstanding
    g_space,    // bytes left
    g_smf,      // extents, used or free
    g_smf_frag, // free extents that are small
    g_smf_large // free extents that are large
};

/// What a block of the heap costs: the request, malloc's header, its rounding, and whole pages where malloc maps them.
constexpr std::size_t heap_cost(std::size_t bytes) noexcept {
    constexpr std::size_t smallest = 32;
    constexpr std::size_t maps_from = 128 * 1024;
    if (bytes >= maps_from) {
        return (bytes + 16 + 4095) & ~std::size_t{4095};
    }
    const std::size_t cost = (bytes + 8 + 15) & ~std::size_t{15};
    return cost < smallest ? smallest : cost;
}

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

    /// Moves the counters to the words of a VSC segment that outlives the storage (seven or ten, see storage_counter).
    /// Call before threads start.
    void bind_counters(std::span<std::uint64_t> words) noexcept;
    std::uint64_t counter(storage_counter which) const noexcept { return word(which).load(std::memory_order_relaxed); }

  protected:
    void add(storage_counter which, std::uint64_t n) noexcept { word(which).fetch_add(n, std::memory_order_relaxed); }
    void subtract(storage_counter which, std::uint64_t n) noexcept {
        word(which).fetch_sub(n, std::memory_order_relaxed);
    }
    void store(storage_counter which, std::uint64_t n) noexcept { word(which).store(n, std::memory_order_relaxed); }
    /// `blocks` is 0 for charges; `limited` tells whether g_space means something.
    void count_taken(std::size_t bytes, std::uint64_t blocks, bool limited) noexcept;
    void count_given(std::size_t bytes, std::uint64_t blocks, bool limited) noexcept;

  private:
    engine kind_;
    std::string identity_;
    std::size_t number_ = 0;
    std::array<std::uint64_t, 10> own_{};
    std::uint64_t* words_ = own_.data();

    std::atomic_ref<std::uint64_t> word(storage_counter which) const noexcept {
        return std::atomic_ref(words_[static_cast<std::size_t>(which)]);
    }
};

} // namespace clearcoat::cache
