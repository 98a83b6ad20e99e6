// The values of all parameters that the worker reads, as atomic words in memory that the manager and the worker share
// (a memfd, mapped by both), so that a param.set is seen at once. One accessor for each parameter:
// params.default_ttl(). The manager writes through parameter_set (tables/params.hpp); everyone else reads, on any
// thread, relaxed.
#pragma once

#include "tables/bits.hpp"
#include "tables/log_tags.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace clearcoat::tables {

enum class param_kind : std::uint8_t {
    boolean,      // bool
    uint,         // unsigned 32 bits; "unlimited" is the highest
    uint_or_zero, // as uint, and 0 is allowed below the minimum
    duration,     // double, seconds, printed with three digits
    real,         // double
    bytes,        // std::uint64_t
    bytes_u,      // std::uint32_t
    bits,         // words of bits by name
    mask,         // vsl_mask: tags that are not logged
    vcc_bit,      // a bool that is a bit of vcc_feature
    text,         // the manager's alone from here on
    storage,
    pool,
    alias
};

enum class param_id : std::uint8_t {
#define CLEARCOAT_PARAM(name, kind, def, min, max, unit, flags, text) name,
#define CLEARCOAT_MANAGER_PARAM(name, kind, def, min, max, unit, flags, text) name,
#include "tables/params.def"
    count_
};
inline constexpr std::size_t param_count = static_cast<std::size_t>(param_id::count_);

class param_block {
    friend class parameter_set;

    std::uint64_t word(param_id id) const noexcept {
        return words_[static_cast<std::size_t>(id)].load(std::memory_order_relaxed);
    }
    void set_word(param_id id, std::uint64_t value) noexcept {
        words_[static_cast<std::size_t>(id)].store(value, std::memory_order_relaxed);
    }
    bool bit_of(param_id id, unsigned bit) const noexcept { return (word(id) >> bit & 1) != 0; }

    template<param_kind Kind>
    auto value_of(param_id id) const noexcept {
        if constexpr (Kind == param_kind::boolean) {
            return word(id) != 0;
        } else if constexpr (Kind == param_kind::duration || Kind == param_kind::real) {
            return std::bit_cast<double>(word(id));
        } else if constexpr (Kind == param_kind::bytes) {
            return word(id);
        } else {
            return static_cast<std::uint32_t>(word(id));
        }
    }

  public:
    /// All words zero; parameter_set fills in the defaults.
    param_block() = default;

#define CLEARCOAT_PARAM(name, kind, def, min, max, unit, flags, text)                                                  \
    auto name() const noexcept {                                                                                       \
        return value_of<param_kind::kind>(param_id::name);                                                             \
    }
#define CLEARCOAT_MANAGER_PARAM(name, kind, def, min, max, unit, flags, text)
#include "tables/params.def"

    bool feature(tables::feature bit) const noexcept {
        return bit_of(param_id::feature, static_cast<unsigned>(bit));
    }
    bool debug(tables::debug bit) const noexcept {
        return bit_of(param_id::debug, static_cast<unsigned>(bit));
    }
    bool experimental(tables::experimental bit) const noexcept {
        return bit_of(param_id::experimental, static_cast<unsigned>(bit));
    }
    bool vcc_feature(tables::vcc_feature bit) const noexcept {
        return bit_of(param_id::vcc_feature, static_cast<unsigned>(bit));
    }

    /// Whether vsl_mask keeps records of `tag` out of the log.
    bool masked(log_tag tag) const noexcept {
        unsigned number = static_cast<unsigned>(tag);
        return (mask_[number / 64].load(std::memory_order_relaxed) >> (number % 64) & 1) != 0;
    }

  private:
    std::array<std::atomic<std::uint64_t>, param_count> words_{};
    std::array<std::atomic<std::uint64_t>, 4> mask_{};
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/// A block for tests and tools that have no manager: every parameter at its default.
const param_block& default_params();

} // namespace clearcoat::tables
