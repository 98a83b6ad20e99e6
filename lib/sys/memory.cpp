#include "sys/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace clearcoat::sys {

mapping::mapping(mapping&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

mapping& mapping::operator=(mapping&& other) noexcept {
    reset();
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    return *this;
}

mapping mapping::shared(int fd, std::size_t size, bool writable) noexcept {
    mapping made;
    void* at = ::mmap(nullptr, size, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd, 0);
    if (at != MAP_FAILED) {
        made.data_ = static_cast<std::byte*>(at);
        made.size_ = size;
    }
    return made;
}

mapping mapping::anonymous(std::size_t size) noexcept {
    mapping made;
    void* at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at != MAP_FAILED) {
        made.data_ = static_cast<std::byte*>(at);
        made.size_ = size;
    }
    return made;
}

void mapping::reset() noexcept {
    if (data_ != nullptr) {
        ::munmap(data_, size_);
        data_ = nullptr;
        size_ = 0;
    }
}

unique_fd make_memfd(const std::string& name, std::size_t size) noexcept {
    unique_fd fd(::memfd_create(name.c_str(), MFD_CLOEXEC));
    if (fd && ::ftruncate(fd.get(), static_cast<off_t>(size)) < 0) {
        fd.reset();
    }
    return fd;
}

} // namespace clearcoat::sys
