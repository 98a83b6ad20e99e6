// The counters that varnishstat shows, in the reference's order. Each set is a plain struct of 64-bit words: a loop
// keeps its own copy as a delta and merges it into the shared one; rare events bump the shared one directly. The shared
// structs live in shm/ segments.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace clearcoat::tables {

/// Child process: MAIN.*
struct main_counters {
#define CLEARCOAT_COUNTER(name, type, level, format, oneliner, docs) std::uint64_t name = 0;
#include "tables/counters_main.def"
};

/// Manager process: MGT.*
struct mgt_counters {
#define CLEARCOAT_COUNTER(name, type, level, format, oneliner, docs) std::uint64_t name = 0;
#include "tables/counters_mgt.def"
};

/// A malloc storage: SMA.<name>.*
struct sma_counters {
#define CLEARCOAT_COUNTER(name, type, level, format, oneliner, docs) std::uint64_t name = 0;
#include "tables/counters_sma.def"
};

/// A file storage: SMF.<name>.*
struct smf_counters {
#define CLEARCOAT_COUNTER(name, type, level, format, oneliner, docs) std::uint64_t name = 0;
#include "tables/counters_smf.def"
};

/// A backend: VBE.<vcl>.<backend>.*
struct vbe_counters {
#define CLEARCOAT_COUNTER(name, type, level, format, oneliner, docs) std::uint64_t name = 0;
#include "tables/counters_vbe.def"
};

/// The mutexes of one kind: LCK.<kind>.*
struct lck_counters {
#define CLEARCOAT_COUNTER(name, type, level, format, oneliner, docs) std::uint64_t name = 0;
#include "tables/counters_lck.def"
};

/// A loop's memory for structures of one kind: MEMPOOL.<kind><loop>.*
struct mempool_counters {
#define CLEARCOAT_COUNTER(name, type, level, format, oneliner, docs) std::uint64_t name = 0;
#include "tables/counters_mempool.def"
};

enum class counter_type : std::uint8_t { counter, gauge, bitmap };
enum class counter_level : std::uint8_t { info, diag, debug };
enum class counter_format : std::uint8_t { integer, bytes, bitmap, duration };

struct counter_field {
    std::string_view name;
    counter_type type;
    counter_level level;
    counter_format format;
    std::string_view oneliner;
    std::string_view docs;
};

/// A set of counters: what its description segment tells the readers. Field n is the n-th word of the struct.
struct counter_set {
    std::string_view name;   // "main": lower case, as the description says it
    std::string_view prefix; // "MAIN": what the segment's identifier begins with
    std::string_view oneliner;
    unsigned order; // where varnishstat sorts the set in
    std::span<const counter_field> fields;
};

const counter_set& main_counter_set() noexcept;
const counter_set& mgt_counter_set() noexcept;
const counter_set& sma_counter_set() noexcept;
const counter_set& smf_counter_set() noexcept;
const counter_set& vbe_counter_set() noexcept;
const counter_set& lck_counter_set() noexcept;
const counter_set& mempool_counter_set() noexcept;

/// Adds to a field of a shared set; any thread, relaxed.
inline void bump(std::uint64_t& field, std::uint64_t amount = 1) noexcept {
    std::atomic_ref<std::uint64_t>(field).fetch_add(amount, std::memory_order_relaxed);
}
/// Takes from a gauge of a shared set.
inline void drop(std::uint64_t& field, std::uint64_t amount = 1) noexcept {
    std::atomic_ref<std::uint64_t>(field).fetch_sub(amount, std::memory_order_relaxed);
}
/// Sets a gauge of a shared set.
inline void store(std::uint64_t& field, std::uint64_t value) noexcept {
    std::atomic_ref<std::uint64_t>(field).store(value, std::memory_order_relaxed);
}
/// Reads a field of a shared set.
inline std::uint64_t load(const std::uint64_t& field) noexcept {
    return std::atomic_ref<std::uint64_t>(const_cast<std::uint64_t&>(field)).load(std::memory_order_relaxed);
}

/// Adds every non-zero word of `delta` to `shared` (atomic, relaxed) and zeroes it. A loop decrements a gauge in its
/// delta by plain subtraction: the words wrap, and the sum is right.
void merge_into(main_counters& shared, main_counters& delta) noexcept;

/// The words of a set, in order.
template<class Set>
std::span<std::uint64_t> words_of(Set& set) noexcept {
    static_assert(sizeof(Set) % sizeof(std::uint64_t) == 0);
    return {reinterpret_cast<std::uint64_t*>(&set), sizeof(Set) / sizeof(std::uint64_t)};
}
template<class Set>
std::span<const std::uint64_t> words_of(const Set& set) noexcept {
    static_assert(sizeof(Set) % sizeof(std::uint64_t) == 0);
    return {reinterpret_cast<const std::uint64_t*>(&set), sizeof(Set) / sizeof(std::uint64_t)};
}

} // namespace clearcoat::tables
