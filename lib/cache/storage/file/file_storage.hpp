// The file engine: one mapped file, shared out by an extent allocator in whole pages. The kernel decides which pages
// are in memory. Nothing survives a restart.
#pragma once

#include "base/thread_annotations.hpp"
#include "cache/storage/file/extent_map.hpp"
#include "cache/storage/storage.hpp"

#include <cstdint>

namespace clearcoat::cache {

class file_storage final : public storage {
  public:
    /// Maps `size` bytes (whole granules) of the open file `fd`, which is already that long; the descriptor may be
    /// closed afterwards. Throws std::system_error when it cannot be mapped (start-up only). `granularity` is a power
    /// of two, at least the page size; 0 takes the page size. `random_advice` asks the kernel not to read ahead.
    file_storage(std::string identity, int fd, std::uint64_t size, std::uint64_t granularity = 0,
                 bool random_advice = true);
    ~file_storage() override;

    char* allocate(std::size_t& size, std::size_t least) noexcept override;
    void free(char* block, std::size_t size) noexcept override;
    bool charge(std::size_t bytes) noexcept override;
    void discharge(std::size_t bytes) noexcept override;
    std::uint64_t free_space() const noexcept override;
    std::uint64_t used_space() const noexcept override;

  private:
    std::uint64_t round_up(std::uint64_t bytes) const noexcept { return (bytes + granule_ - 1) & ~(granule_ - 1); }
    void publish_shape() noexcept REQUIRES(mutex_);

    std::uint64_t granule_;
    std::uint64_t size_;
    char* base_ = nullptr;
    mutable base::mutex mutex_;
    extent_map extents_ GUARDED_BY(mutex_);
    std::uint64_t charged_ GUARDED_BY(mutex_) = 0; // structures in the heap, paid out of the file's budget
    std::uint64_t blocks_ GUARDED_BY(mutex_) = 0;  // handed out
};

} // namespace clearcoat::cache
