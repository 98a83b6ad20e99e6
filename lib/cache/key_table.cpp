#include "cache/key_table.hpp"

#include <cstring>

namespace clearcoat::cache {

key_table::key_table() {
    blocks_.push_back(std::make_unique<block>());
}

key_table::~key_table() {
    while (key_head* head = any()) {
        erase(*head);
    }
}

// Linear hashing: the buckets double in rounds, and within a round bucket by bucket.
std::uint64_t key_table::hash(const base::digest& key) noexcept {
    std::uint64_t h;
    std::memcpy(&h, key.data(), sizeof h);
    return h;
}

std::size_t key_table::place(std::uint64_t h) const noexcept {
    const std::size_t n = h & (base_ - 1);
    return n < split_ ? h & (2 * base_ - 1) : n;
}

key_head* key_table::find(const base::digest& key) const noexcept {
    key_head* head = bucket(place(hash(key)));
    while (head != nullptr && head->key != key) {
        head = head->next_in_bucket;
    }
    return head;
}

void key_table::insert(key_head& head) {
    if (++size_ > base_ + split_) {
        split();
    }
    key_head*& at = bucket(place(hash(head.key)));
    head.next_in_bucket = at;
    at = &head;
}

void key_table::split() {
    const std::size_t added = base_ + split_;
    if (added / block_size == blocks_.size()) {
        blocks_.push_back(std::make_unique<block>());
    }
    key_head* chain = bucket(split_);
    key_head** stays = &bucket(split_);
    key_head** moves = &bucket(added);
    for (; chain != nullptr; chain = chain->next_in_bucket) {
        key_head**& end = (hash(chain->key) & base_) != 0 ? moves : stays;
        *end = chain;
        end = &chain->next_in_bucket;
    }
    *stays = nullptr;
    *moves = nullptr;
    if (++split_ == base_) {
        base_ *= 2;
        split_ = 0;
    }
}

void key_table::erase(key_head& head) noexcept {
    key_head** at = &bucket(place(hash(head.key)));
    while (*at != &head) {
        at = &(*at)->next_in_bucket;
    }
    *at = head.next_in_bucket;
    --size_;
    delete &head;
}

key_head* key_table::any() const noexcept {
    for (std::size_t n = 0; size_ != 0 && n < base_ + split_; ++n) {
        if (key_head* head = bucket(n)) {
            return head;
        }
    }
    return nullptr;
}

} // namespace clearcoat::cache
