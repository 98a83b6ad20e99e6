#include "cache/body_writer.hpp"

#include "base/panic.hpp"
#include "cache/body_segment.hpp"
#include "tables/param_block.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace clearcoat::cache {

namespace {

constexpr std::size_t largest_guess = 1u << 20;     // of a segment for a body whose length nobody told
constexpr std::size_t largest_passing = 256 * 1024; // of a private body: a reader that consumes frees whole segments
constexpr std::size_t worth_trimming = 512;         // bytes of surplus

std::uint64_t end_of(const body_segment* last) noexcept {
    return last == nullptr ? 0 : last->end();
}

} // namespace

body_writer::body_writer(index& cache, object_ref o) noexcept
    : cache_(cache), object_(std::move(o)), nukes_left_(cache.params().nuke_limit()) {
    CLEARCOAT_ASSERT(object_->storage_ != nullptr);
}

body_writer::~body_writer() {
    if (!ended_) {
        fail();
    }
}

std::span<char> body_writer::reserve(std::size_t hint) noexcept {
    body_segment* last = object_->last_;
    if (written_ == end_of(last)) {
        if (!add_segment(hint)) {
            return {};
        }
        last = object_->last_;
    }
    const std::size_t used = written_ - last->offset;
    return {last->data() + used, last->capacity - used};
}

bool body_writer::add_segment(std::size_t hint) noexcept {
    const std::size_t chunk = cache_.params().fetch_chunksize();
    const std::size_t configured = cache_.params().fetch_maxchunksize();
    const std::size_t most = object_->has(object_flag::is_private) ? std::min(configured, largest_passing) : configured;
    // Guesses grow with the body, so that a long one of unknown length does not end up in thousands of pieces.
    const std::size_t guess = std::max<std::size_t>(chunk, std::min<std::size_t>(written_, largest_guess));
    const std::size_t want = std::min(hint != 0 ? hint : guess, most);
    std::size_t size = sizeof(body_segment) + want;
    const std::size_t least = sizeof(body_segment) + std::min(want, chunk);
    char* block = cache_.allocate(*object_->storage_, size, least, nukes_left_);
    if (block == nullptr) {
        return false;
    }
    auto* segment = new (block) body_segment{{}, written_, size - sizeof(body_segment), size};
    if (object_->last_ == nullptr) {
        object_->first_.store(segment, std::memory_order_release);
    } else {
        object_->last_->next.store(segment, std::memory_order_release);
    }
    object_->last_ = segment;
    return true;
}

void body_writer::commit(std::size_t size) noexcept {
    CLEARCOAT_ASSERT(written_ + size <= end_of(object_->last_));
    if (size != 0) {
        written_ += size;
        object_->publish(written_);
    }
}

bool body_writer::append(std::string_view data) noexcept {
    while (!data.empty()) {
        const std::span<char> room = reserve(data.size());
        if (room.empty()) {
            return false;
        }
        const std::size_t n = std::min(room.size(), data.size());
        std::memcpy(room.data(), data.data(), n);
        commit(n);
        data.remove_prefix(n);
    }
    return true;
}

// The last segment is replaced by one of the right size. Cursors that began earlier may still stand on the old one, so
// it goes to the object's retired_ until the last of them has left.
void body_writer::trim() noexcept {
    object& o = *object_;
    body_segment* last = o.last_;
    if (last == nullptr || o.has(object_flag::is_private)) {
        return;
    }
    const std::size_t used = written_ - last->offset;
    if (last->capacity - used < worth_trimming) {
        return;
    }
    body_segment* before = o.first_.load(std::memory_order_relaxed);
    if (before == last) {
        before = nullptr;
    }
    while (before != nullptr && before->next.load(std::memory_order_relaxed) != last) {
        before = before->next.load(std::memory_order_relaxed);
    }
    body_segment* fresh = nullptr;
    if (used != 0) {
        std::size_t size = sizeof(body_segment) + used;
        char* block = o.storage_->allocate(size, size);
        if (block == nullptr) {
            return;
        }
        fresh = new (block) body_segment{{}, last->offset, size - sizeof(body_segment), size};
        std::memcpy(fresh->data(), last->data(), used);
    }
    (before == nullptr ? o.first_ : before->next).store(fresh, std::memory_order_release);
    o.last_ = fresh != nullptr ? fresh : before;
    base::lock_guard lock(o.growth_);
    o.retired_ = last;
}

void body_writer::finish(double now) noexcept {
    CLEARCOAT_ASSERT(!ended_);
    ended_ = true;
    trim();
    object_->advance(object_state::finished);
    object_->free_retired();
    cache_.completed(*object_, now);
}

void body_writer::fail() noexcept {
    ended_ = true;
    cache_.abandon(*object_);
}

} // namespace clearcoat::cache
