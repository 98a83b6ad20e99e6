// A set of counters in shared memory, as varnishstat reads it: the segment of class "Stat" with the values, and the
// description (class "StatDoc", JSON) that all sets of a kind share. Values are bumped by tables::bump() from any
// thread; sets can come and go while the process runs.
#pragma once

#include "shm/segment_directory.hpp"
#include "tables/counters.hpp"

#include <string_view>

namespace clearcoat::shm {

/// The untyped part: `words` 64-bit values called PREFIX or PREFIX.name.
class counter_memory {
  public:
    counter_memory() = default;
    counter_memory(segment_directory& directory, const tables::counter_set& set, std::string_view name);
    counter_memory(counter_memory&& other) noexcept;
    counter_memory& operator=(counter_memory&& other) noexcept;
    ~counter_memory() { reset(); }

    void* body() const noexcept { return body_; }
    /// Readers skip the set until reveal(): a backend of a cold VCL.
    void hide() noexcept;
    void reveal() noexcept;
    void reset() noexcept;

  private:
    segment_directory* directory_ = nullptr;
    const tables::counter_set* set_ = nullptr;
    segment memory_;
    void* body_ = nullptr;
};

template<class Set>
const tables::counter_set& description_of() noexcept;
template<>
inline const tables::counter_set& description_of<tables::main_counters>() noexcept {
    return tables::main_counter_set();
}
template<>
inline const tables::counter_set& description_of<tables::mgt_counters>() noexcept {
    return tables::mgt_counter_set();
}
template<>
inline const tables::counter_set& description_of<tables::sma_counters>() noexcept {
    return tables::sma_counter_set();
}
template<>
inline const tables::counter_set& description_of<tables::smf_counters>() noexcept {
    return tables::smf_counter_set();
}
template<>
inline const tables::counter_set& description_of<tables::vbe_counters>() noexcept {
    return tables::vbe_counter_set();
}

template<>
inline const tables::counter_set& description_of<tables::lck_counters>() noexcept {
    return tables::lck_counter_set();
}
template<>
inline const tables::counter_set& description_of<tables::mempool_counters>() noexcept {
    return tables::mempool_counter_set();
}

/// counter_segment<tables::vbe_counters> c(directory, "boot.default"); tables::bump(c->req);
template<class Set>
class counter_segment {
  public:
    counter_segment() = default;
    /// Throws std::system_error when shared memory cannot be had.
    explicit counter_segment(segment_directory& directory, std::string_view name = {})
        : memory_(directory, description_of<Set>(), name) {}

    explicit operator bool() const noexcept { return memory_.body() != nullptr; }
    Set& operator*() const noexcept { return *static_cast<Set*>(memory_.body()); }
    Set* operator->() const noexcept { return static_cast<Set*>(memory_.body()); }
    Set* get() const noexcept { return static_cast<Set*>(memory_.body()); }
    void hide() noexcept { memory_.hide(); }
    void reveal() noexcept { memory_.reveal(); }

  private:
    counter_memory memory_;
};

} // namespace clearcoat::shm
