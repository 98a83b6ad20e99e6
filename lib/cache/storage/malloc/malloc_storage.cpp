#include "cache/storage/malloc/malloc_storage.hpp"

#include <cstdlib>
#include <utility>

namespace clearcoat::cache {

malloc_storage::malloc_storage(std::string identity, std::uint64_t limit)
    : storage(engine::malloc, std::move(identity)), limit_(limit) {
    store(storage_counter::g_space, limit);
}

bool malloc_storage::take(std::size_t bytes) noexcept {
    std::uint64_t used = used_.load(std::memory_order_relaxed);
    do {
        if (limit_ != 0 && (bytes > limit_ || used > limit_ - bytes)) {
            return false;
        }
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
}

// The largest request whose cost fits into what is left now, or 0.
std::size_t malloc_storage::room() const noexcept {
    constexpr std::size_t overhead = 2 * 4096; // at most what heap_cost() adds
    const std::uint64_t used = used_.load(std::memory_order_relaxed);
    const std::uint64_t left = limit_ > used ? limit_ - used : 0;
    return left > overhead ? left - overhead : 0;
}

char* malloc_storage::allocate(std::size_t& size, std::size_t least) noexcept {
    add(storage_counter::c_req, 1);
    bool taken = take(heap_cost(size));
    if (!taken) {
        if (const std::size_t fits = room(); fits >= least && fits < size) {
            size = fits;
            taken = take(heap_cost(size));
        }
    }
    char* block = taken ? static_cast<char*>(std::malloc(size)) : nullptr;
    if (block == nullptr) {
        if (taken) {
            used_.fetch_sub(heap_cost(size), std::memory_order_relaxed);
        }
        add(storage_counter::c_fail, 1);
        return nullptr;
    }
    count_taken(heap_cost(size), 1, limit_ != 0);
    return block;
}

void malloc_storage::free(char* block, std::size_t size) noexcept {
    std::free(block);
    used_.fetch_sub(heap_cost(size), std::memory_order_relaxed);
    count_given(heap_cost(size), 1, limit_ != 0);
}

bool malloc_storage::charge(std::size_t bytes) noexcept {
    if (!take(bytes)) {
        return false;
    }
    count_taken(bytes, 0, limit_ != 0);
    return true;
}

void malloc_storage::discharge(std::size_t bytes) noexcept {
    used_.fetch_sub(bytes, std::memory_order_relaxed);
    count_given(bytes, 0, limit_ != 0);
}

std::uint64_t malloc_storage::free_space() const noexcept {
    const std::uint64_t used = used_.load(std::memory_order_relaxed);
    return limit_ > used ? limit_ - used : 0;
}

} // namespace clearcoat::cache
