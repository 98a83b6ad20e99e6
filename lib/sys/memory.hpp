// Memory mappings and anonymous shared files (memfd), for what manager and worker share. A mapping unmaps itself.
#pragma once

#include "sys/fd.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace clearcoat::sys {

class mapping {
  public:
    mapping() = default;
    mapping(mapping&& other) noexcept;
    mapping& operator=(mapping&& other) noexcept;
    ~mapping() { reset(); }

    /// Maps `size` bytes of `fd` from its start, shared, readable and where told writable; empty with errno set on
    /// failure.
    static mapping shared(int fd, std::size_t size, bool writable = true) noexcept;
    /// Zeroed private memory of this process; empty with errno set on failure.
    static mapping anonymous(std::size_t size) noexcept;

    explicit operator bool() const noexcept { return data_ != nullptr; }
    std::byte* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    std::span<std::byte> bytes() const noexcept { return {data_, size_}; }
    void reset() noexcept;

  private:
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

/// An anonymous file of `size` zero bytes, close-on-exec; `name` shows in /proc. Empty with errno set on failure.
unique_fd make_memfd(const std::string& name, std::size_t size) noexcept;

} // namespace clearcoat::sys
