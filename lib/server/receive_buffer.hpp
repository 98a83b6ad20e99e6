// Where a session receives: a pooled buffer at first, a larger one of its own when a head does not fit. Holds nothing
// while the session waits. Loop thread only.
#pragma once

#include "net/buffer.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>

namespace clearcoat::server {

class receive_buffer {
  public:
    receive_buffer() = default;
    receive_buffer(receive_buffer&& other) noexcept { *this = std::move(other); }
    receive_buffer& operator=(receive_buffer&& other) noexcept {
        small_ = std::move(other.small_);
        large_ = std::move(other.large_);
        large_size_ = std::exchange(other.large_size_, 0);
        filled_ = std::exchange(other.filled_, 0);
        return *this;
    }

    bool empty() const noexcept { return filled_ == 0; }
    std::size_t size() const noexcept { return filled_; }
    std::string_view bytes() const noexcept { return {data(), filled_}; }
    std::span<char> writable_bytes() noexcept { return {data(), filled_}; }

    /// Room for more, so that at most `limit` bytes are held in all; empty when the limit is reached or memory is out.
    std::span<char> room(base::chunk_cache& pool, std::size_t limit) noexcept {
        if (!large_ && !small_.borrow(pool)) {
            return {};
        }
        if (filled_ == capacity() && filled_ < limit && !grow(limit)) {
            return {};
        }
        const std::size_t end = std::min(capacity(), limit);
        return end > filled_ ? std::span<char>(data() + filled_, end - filled_) : std::span<char>();
    }
    void added(std::size_t count) noexcept { filled_ += count; }
    /// Forgets the first `count` bytes.
    void drop(std::size_t count) noexcept {
        filled_ -= count;
        if (filled_ != 0 && count != 0) {
            std::memmove(data(), data() + count, filled_);
        }
    }
    /// Starts with a copy of `bytes`; false when memory is out.
    bool assign(std::string_view bytes, base::chunk_cache& pool) noexcept {
        filled_ = 0;
        const std::span<char> place = room(pool, std::max(bytes.size(), pool.chunk_size()));
        if (place.size() < bytes.size() && !grow(bytes.size())) {
            return false;
        }
        std::memcpy(data(), bytes.data(), bytes.size());
        filled_ = bytes.size();
        return true;
    }
    void release() noexcept {
        small_.release();
        large_.reset();
        large_size_ = 0;
        filled_ = 0;
    }

  private:
    std::size_t capacity() const noexcept { return large_ ? large_size_ : small_.all().size(); }
    char* data() const noexcept { return large_ ? large_.get() : small_.all().data(); }
    bool grow(std::size_t size) noexcept {
        std::unique_ptr<char[]> larger(new (std::nothrow) char[size]);
        if (!larger) {
            return false;
        }
        if (filled_ != 0) {
            std::memcpy(larger.get(), data(), filled_);
        }
        large_ = std::move(larger);
        large_size_ = size;
        small_.release();
        return true;
    }

    net::buffer small_;
    std::unique_ptr<char[]> large_;
    std::size_t large_size_ = 0;
    std::size_t filled_ = 0;
};

} // namespace clearcoat::server
