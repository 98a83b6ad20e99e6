// Task memory: bump allocation in chunks, freed together. It stands for the reference's workspaces, so an arena has a
// limit, and exceeding it is an ordinary event that the caller reports. One thread at a time uses an arena and its
// chunk cache.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace clearcoat::base {

/// A free list of equal chunks, owned by one event loop, so that arenas cost no allocation once warm.
class chunk_cache {
  public:
    /// `chunk_size` bytes each; at most `keep` unused ones are held.
    explicit chunk_cache(std::size_t chunk_size, std::size_t keep) noexcept : chunk_size_(chunk_size), keep_(keep) {}
    ~chunk_cache();
    chunk_cache(const chunk_cache&) = delete;
    chunk_cache& operator=(const chunk_cache&) = delete;

    std::size_t chunk_size() const noexcept { return chunk_size_; }
    /// How many unused ones are held.
    std::size_t held() const noexcept { return count_; }
    /// A chunk of chunk_size() bytes; nullptr when memory is out.
    void* take() noexcept;
    void give(void* chunk) noexcept;

  private:
    struct free_chunk {
        free_chunk* next;
    };
    std::size_t chunk_size_;
    std::size_t keep_;
    std::size_t count_ = 0;
    free_chunk* head_ = nullptr;
};

/// Bump allocator. Objects placed in it are never destroyed, so only trivially destructible types are allowed.
class arena {
  public:
    /// Takes chunks from `cache`, which outlives the arena; hands out at most `limit` bytes.
    explicit arena(chunk_cache& cache, std::size_t limit = static_cast<std::size_t>(-1)) noexcept
        : cache_(&cache), limit_(limit) {}
    ~arena() { release_chunks(nullptr); }
    arena(const arena&) = delete;
    arena& operator=(const arena&) = delete;

    /// nullptr, and overflowed() from then on, when the limit or memory does not allow it.
    void* allocate(std::size_t size, std::size_t alignment = alignof(std::max_align_t)) noexcept {
        auto at = (reinterpret_cast<std::size_t>(cursor_) + alignment - 1) & ~(alignment - 1);
        if (cursor_ != nullptr && at + size <= reinterpret_cast<std::size_t>(end_) && used_ + counted(size) <= limit_) {
            cursor_ = reinterpret_cast<char*>(at + size);
            used_ += counted(size);
            return reinterpret_cast<void*>(at);
        }
        return allocate_slow(size, alignment);
    }
    /// Room for what the reference keeps outside of its workspaces: it counts neither as used nor against the limit.
    /// nullptr when memory is out, which is no overflow.
    void* allocate_uncounted(std::size_t size, std::size_t alignment) noexcept;

    template<class T, class... Args>
    T* make(Args&&... args) noexcept {
        static_assert(std::is_trivially_destructible_v<T>);
        void* place = allocate(sizeof(T), alignof(T));
        return place == nullptr ? nullptr : new (place) T(std::forward<Args>(args)...);
    }

    /// `count` value-initialised elements; empty on overflow.
    template<class T>
    std::span<T> make_array(std::size_t count) noexcept {
        static_assert(std::is_trivially_destructible_v<T>);
        void* place = allocate(sizeof(T) * count, alignof(T));
        return place == nullptr ? std::span<T>() : std::span<T>(new (place) T[count](), count);
    }

    /// A copy that lives as long as the arena, with a zero byte behind it; data() is nullptr on overflow.
    std::string_view copy(std::string_view text) noexcept;

    /// Room to format into: at least `want` bytes at the end of the arena, or an empty span. Nothing else may be
    /// allocated before commit().
    std::span<char> reserve(std::size_t want) noexcept;
    /// Keeps the first `size` bytes of what reserve() gave.
    void commit(std::size_t size) noexcept;

    bool overflowed() const noexcept { return overflowed_; }
    /// Marks the arena overflowed without an allocation, or (false) forgets it after it was reported.
    void set_overflowed(bool value) noexcept { overflowed_ = value; }
    std::size_t used() const noexcept { return used_; }
    std::size_t limit() const noexcept { return limit_; }
    std::size_t available() const noexcept { return limit_ - used_; }
    void set_limit(std::size_t limit) noexcept { limit_ = limit; }

    /// A point to return to: what was allocated after it is given back.
    struct mark {
        void* chunk;
        char* cursor;
        std::size_t used;
    };
    mark position() const noexcept { return {chunks_, cursor_, used_}; }
    void rewind(const mark& to) noexcept;

    /// Gives everything back to the cache.
    void reset() noexcept {
        release_chunks(nullptr);
        used_ = 0;
        overflowed_ = false;
    }

  private:
    struct chunk {
        chunk* next;
        std::size_t size; // of the whole chunk; larger than the cache's for oversized requests
    };

    /// What an allocation counts for: the reference's workspaces hand out whole words.
    static constexpr std::size_t counted(std::size_t size) noexcept { return (size + 7) & ~std::size_t(7); }
    void* allocate_slow(std::size_t size, std::size_t alignment) noexcept;
    bool add_chunk(std::size_t room) noexcept;
    void release_chunks(chunk* until) noexcept;

    chunk_cache* cache_;
    std::size_t limit_;
    std::size_t used_ = 0;
    chunk* chunks_ = nullptr;
    char* cursor_ = nullptr;
    char* end_ = nullptr;
    bool overflowed_ = false;
};

} // namespace clearcoat::base
