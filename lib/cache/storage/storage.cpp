#include "cache/storage/storage.hpp"

#include <algorithm>
#include <utility>

namespace clearcoat::cache {

storage::storage(engine kind, std::string identity) : kind_(kind), identity_(std::move(identity)) {}

std::string_view storage::kind_name() const noexcept {
    return kind_ == engine::malloc ? "malloc" : "file";
}

std::string_view storage::counter_section() const noexcept {
    return kind_ == engine::malloc ? "SMA" : "SMF";
}

void storage::count_taken(std::size_t bytes, std::uint64_t blocks, bool limited) noexcept {
    add(storage_counter::c_bytes, bytes);
    add(storage_counter::g_bytes, bytes);
    add(storage_counter::g_alloc, blocks);
    if (limited) {
        subtract(storage_counter::g_space, bytes);
    }
}

void storage::count_given(std::size_t bytes, std::uint64_t blocks, bool limited) noexcept {
    add(storage_counter::c_freed, bytes);
    subtract(storage_counter::g_bytes, bytes);
    subtract(storage_counter::g_alloc, blocks);
    if (limited) {
        add(storage_counter::g_space, bytes);
    }
}

void storage::bind_counters(std::span<std::uint64_t> words) noexcept {
    std::copy_n(words_, std::min(words.size(), own_.size()), words.data());
    words_ = words.data();
}

} // namespace clearcoat::cache
