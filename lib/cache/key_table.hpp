// The keys of one shard: a hash table that grows one bucket at a time, so that no insertion has to move everything
// while the shard's mutex is held. Guarded by that mutex.
#pragma once

#include "base/intrusive_list.hpp"
#include "base/sha256.hpp"
#include "cache/object.hpp"
#include "cache/waiter.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace clearcoat::cache {

/// All there is under one key.
struct key_head {
    explicit key_head(const base::digest& k) noexcept : key(k) {}

    key_head* next_in_bucket = nullptr;
    base::intrusive_list<object, in_key> objects; // the most recently fetched first, busy ones at the end
    const base::digest key;
    waiter_queue waiting; // requests that wait for a busy object
};

class key_table {
  public:
    key_table();
    ~key_table();
    key_table(const key_table&) = delete;
    key_table& operator=(const key_table&) = delete;

    key_head* find(const base::digest& key) const noexcept;
    /// `head` is not in the table, nor is its key. The table owns it from now on.
    void insert(key_head& head);
    /// Takes `head` out and deletes it.
    void erase(key_head& head) noexcept;
    /// Some head, or nullptr when the table is empty.
    key_head* any() const noexcept;
    std::size_t size() const noexcept { return size_; }

  private:
    static constexpr std::size_t block_size = 256;
    using block = std::array<key_head*, block_size>;

    static std::uint64_t hash(const base::digest& key) noexcept;
    std::size_t place(std::uint64_t h) const noexcept;
    key_head*& bucket(std::size_t n) const noexcept { return (*blocks_[n / block_size])[n % block_size]; }
    void split();

    std::vector<std::unique_ptr<block>> blocks_;
    std::size_t base_ = block_size; // buckets at the beginning of this round of splits; a power of two
    std::size_t split_ = 0;         // buckets below this one were split in this round
    std::size_t size_ = 0;
};

} // namespace clearcoat::cache
