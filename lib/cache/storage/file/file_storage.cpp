#include "cache/storage/file/file_storage.hpp"

#include "base/panic.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace clearcoat::cache {

namespace {

std::uint64_t page_size() noexcept {
    return static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

} // namespace

file_storage::file_storage(std::string identity, int fd, std::uint64_t size, std::uint64_t granularity,
                           bool random_advice)
    : storage(engine::file, std::move(identity)), granule_(std::max(granularity, page_size())),
      size_(size & ~(granule_ - 1)), extents_(size_) {
    CLEARCOAT_ASSERT((granule_ & (granule_ - 1)) == 0);
    void* place = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (place == MAP_FAILED) {
        throw std::system_error(errno, std::generic_category(), "mmap of storage " + this->identity());
    }
    base_ = static_cast<char*>(place);
    if (random_advice) {
        ::madvise(place, size_, MADV_RANDOM);
    }
    store(storage_counter::g_space, size_);
    publish_shape();
}

file_storage::~file_storage() {
    ::munmap(base_, size_);
}

void file_storage::publish_shape() noexcept {
    store(storage_counter::g_smf, extents_.free_extents() + blocks_);
    store(storage_counter::g_smf_frag, extents_.small_extents());
    store(storage_counter::g_smf_large, extents_.free_extents() - extents_.small_extents());
}

char* file_storage::allocate(std::size_t& size, std::size_t least) noexcept {
    add(storage_counter::c_req, 1);
    base::lock_guard lock(mutex_);
    const std::uint64_t left = extents_.free_bytes() > charged_ ? extents_.free_bytes() - charged_ : 0;
    const std::uint64_t need = round_up(least);
    const std::uint64_t want = std::min(round_up(size), left & ~(granule_ - 1));
    const auto found = want < need ? std::nullopt : extents_.take(want, need);
    if (!found) {
        add(storage_counter::c_fail, 1);
        return nullptr;
    }
    ++blocks_;
    count_taken(found->size, 1, true);
    publish_shape();
    size = found->size;
    return base_ + found->offset;
}

void file_storage::free(char* block, std::size_t size) noexcept {
    base::lock_guard lock(mutex_);
    const std::uint64_t bytes = round_up(size);
    extents_.give({static_cast<std::uint64_t>(block - base_), bytes});
    --blocks_;
    count_given(bytes, 1, true);
    publish_shape();
}

bool file_storage::charge(std::size_t bytes) noexcept {
    base::lock_guard lock(mutex_);
    if (extents_.free_bytes() < charged_ + bytes) {
        return false;
    }
    charged_ += bytes;
    count_taken(bytes, 0, true);
    return true;
}

void file_storage::discharge(std::size_t bytes) noexcept {
    base::lock_guard lock(mutex_);
    charged_ -= bytes;
    count_given(bytes, 0, true);
}

std::uint64_t file_storage::free_space() const noexcept {
    base::lock_guard lock(mutex_);
    return extents_.free_bytes() - charged_;
}

std::uint64_t file_storage::used_space() const noexcept {
    base::lock_guard lock(mutex_);
    return size_ - extents_.free_bytes() + charged_;
}

} // namespace clearcoat::cache
