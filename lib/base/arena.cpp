#include "base/arena.hpp"

#include "base/panic.hpp"

#include <algorithm>
#include <cstdlib>

namespace clearcoat::base {

chunk_cache::~chunk_cache() {
    while (head_ != nullptr) {
        free_chunk* next = head_->next;
        std::free(head_);
        head_ = next;
    }
}

void* chunk_cache::take() noexcept {
    if (head_ == nullptr) {
        return std::malloc(chunk_size_);
    }
    free_chunk* chunk = head_;
    head_ = chunk->next;
    --count_;
    return chunk;
}

void chunk_cache::give(void* chunk) noexcept {
    if (count_ >= keep_) {
        std::free(chunk);
        return;
    }
    head_ = new (chunk) free_chunk{head_};
    ++count_;
}

void* arena::allocate_uncounted(std::size_t size, std::size_t alignment) noexcept {
    auto at = (reinterpret_cast<std::size_t>(cursor_) + alignment - 1) & ~(alignment - 1);
    if (cursor_ == nullptr || at + size > reinterpret_cast<std::size_t>(end_)) {
        if (!add_chunk(size + alignment)) {
            return nullptr;
        }
        at = (reinterpret_cast<std::size_t>(cursor_) + alignment - 1) & ~(alignment - 1);
    }
    cursor_ = reinterpret_cast<char*>(at + size);
    return reinterpret_cast<void*>(at);
}

void* arena::allocate_slow(std::size_t size, std::size_t alignment) noexcept {
    if (size > limit_ || counted(size) > limit_ - used_ || !add_chunk(size + alignment)) {
        overflowed_ = true;
        return nullptr;
    }
    used_ += counted(size);
    return allocate_uncounted(size, alignment);
}

bool arena::add_chunk(std::size_t room) noexcept {
    const std::size_t need = room + sizeof(chunk);
    const bool ordinary = need <= cache_->chunk_size();
    const std::size_t size = ordinary ? cache_->chunk_size() : need;
    void* memory = ordinary ? cache_->take() : std::malloc(size);
    if (memory == nullptr) {
        return false;
    }
    chunks_ = new (memory) chunk{chunks_, size};
    cursor_ = static_cast<char*>(memory) + sizeof(chunk);
    end_ = static_cast<char*>(memory) + size;
    return true;
}

void arena::release_chunks(chunk* until) noexcept {
    while (chunks_ != until) {
        chunk* next = chunks_->next;
        if (chunks_->size == cache_->chunk_size()) {
            cache_->give(chunks_);
        } else {
            std::free(chunks_);
        }
        chunks_ = next;
    }
    cursor_ = nullptr;
    end_ = nullptr;
}

std::string_view arena::copy(std::string_view text) noexcept {
    auto* place = static_cast<char*>(allocate(text.size() + 1, 1));
    if (place == nullptr) {
        return {};
    }
    if (!text.empty()) {
        std::memcpy(place, text.data(), text.size());
    }
    place[text.size()] = '\0';
    return {place, text.size()};
}

std::span<char> arena::reserve(std::size_t want) noexcept {
    if (want > limit_ - used_) {
        overflowed_ = true;
        return {};
    }
    if (cursor_ == nullptr || want > static_cast<std::size_t>(end_ - cursor_)) {
        if (!add_chunk(want)) {
            overflowed_ = true;
            return {};
        }
    }
    const auto room = static_cast<std::size_t>(end_ - cursor_);
    return {cursor_, room < limit_ - used_ ? room : limit_ - used_};
}

void arena::commit(std::size_t size) noexcept {
    CLEARCOAT_ASSERT(size <= static_cast<std::size_t>(end_ - cursor_));
    cursor_ += size;
    used_ = std::min(used_ + counted(size), limit_);
}

void arena::rewind(const mark& to) noexcept {
    release_chunks(static_cast<chunk*>(to.chunk));
    used_ = to.used;
    if (chunks_ != nullptr) {
        cursor_ = to.cursor;
        end_ = reinterpret_cast<char*>(chunks_) + chunks_->size;
    }
}

} // namespace clearcoat::base
