// The malloc engine: memory from the heap within a budget, or without one (Transient).
#pragma once

#include "cache/storage/storage.hpp"

#include <atomic>
#include <cstdint>

namespace clearcoat::cache {

class malloc_storage final : public storage {
  public:
    /// `limit` in bytes; 0 is unlimited.
    malloc_storage(std::string identity, std::uint64_t limit);

    char* allocate(std::size_t& size, std::size_t least) noexcept override;
    void free(char* block, std::size_t size) noexcept override;
    bool charge(std::size_t bytes) noexcept override;
    void discharge(std::size_t bytes) noexcept override;
    std::uint64_t free_space() const noexcept override;
    std::uint64_t used_space() const noexcept override { return used_.load(std::memory_order_relaxed); }

  private:
    bool take(std::size_t bytes) noexcept;
    std::size_t room() const noexcept;

    const std::uint64_t limit_;
    std::atomic<std::uint64_t> used_{0};
};

} // namespace clearcoat::cache
