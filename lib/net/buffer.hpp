// A receive buffer borrowed from a loop's pool. A session holds one only between the first byte of a request and its
// end: while it waits it owns none. Loop thread only.
#pragma once

#include "base/arena.hpp"

#include <span>
#include <utility>

namespace clearcoat::net {

class buffer {
  public:
    buffer() = default;
    ~buffer() { release(); }
    buffer(buffer&& other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)), data_(std::exchange(other.data_, nullptr)) {}
    buffer& operator=(buffer&& other) noexcept {
        if (this != &other) {
            release();
            pool_ = std::exchange(other.pool_, nullptr);
            data_ = std::exchange(other.data_, nullptr);
        }
        return *this;
    }

    /// Borrows, unless it already holds one; false when memory is out.
    bool borrow(base::chunk_cache& pool) noexcept {
        if (data_ == nullptr) {
            data_ = static_cast<char*>(pool.take());
            pool_ = data_ == nullptr ? nullptr : &pool;
        }
        return data_ != nullptr;
    }
    void release() noexcept {
        if (data_ != nullptr) {
            pool_->give(data_);
            data_ = nullptr;
            pool_ = nullptr;
        }
    }
    explicit operator bool() const noexcept { return data_ != nullptr; }
    std::span<char> all() const noexcept { return {data_, data_ == nullptr ? 0 : pool_->chunk_size()}; }

  private:
    base::chunk_cache* pool_ = nullptr;
    char* data_ = nullptr;
};

} // namespace clearcoat::net
