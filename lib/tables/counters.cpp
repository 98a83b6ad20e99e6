#include "tables/counters.hpp"

namespace clearcoat::tables {
namespace {

// Each table takes CLEARCOAT_COUNTER away again.
#define CLEARCOAT_COUNTER_ROW(name, type, level, format, oneliner, docs)                                               \
    {#name, counter_type::type, counter_level::level, counter_format::format, oneliner, docs},

#define CLEARCOAT_COUNTER CLEARCOAT_COUNTER_ROW
constexpr counter_field main_fields[] = {
#include "tables/counters_main.def"
};
#define CLEARCOAT_COUNTER CLEARCOAT_COUNTER_ROW
constexpr counter_field mgt_fields[] = {
#include "tables/counters_mgt.def"
};
#define CLEARCOAT_COUNTER CLEARCOAT_COUNTER_ROW
constexpr counter_field sma_fields[] = {
#include "tables/counters_sma.def"
};
#define CLEARCOAT_COUNTER CLEARCOAT_COUNTER_ROW
constexpr counter_field smf_fields[] = {
#include "tables/counters_smf.def"
};
#define CLEARCOAT_COUNTER CLEARCOAT_COUNTER_ROW
constexpr counter_field vbe_fields[] = {
#include "tables/counters_vbe.def"
};
#define CLEARCOAT_COUNTER CLEARCOAT_COUNTER_ROW
constexpr counter_field lck_fields[] = {
#include "tables/counters_lck.def"
};
#define CLEARCOAT_COUNTER CLEARCOAT_COUNTER_ROW
constexpr counter_field mempool_fields[] = {
#include "tables/counters_mempool.def"
};
#undef CLEARCOAT_COUNTER_ROW

constexpr counter_set main_set{"main", "MAIN", "The worker process", 10, main_fields};
constexpr counter_set mgt_set{"mgt", "MGT", "The manager process", 20, mgt_fields};
constexpr counter_set sma_set{"sma", "SMA", "A malloc storage", 40, sma_fields};
constexpr counter_set smf_set{"smf", "SMF", "A file storage", 50, smf_fields};
constexpr counter_set vbe_set{"vbe", "VBE", "A backend", 60, vbe_fields};
constexpr counter_set lck_set{"lck", "LCK", "Mutexes of one kind", 70, lck_fields};
constexpr counter_set mempool_set{"mempool", "MEMPOOL", "Memory of an event loop", 30, mempool_fields};

static_assert(std::size(main_fields) * sizeof(std::uint64_t) == sizeof(main_counters));

} // namespace

const counter_set& main_counter_set() noexcept {
    return main_set;
}
const counter_set& mgt_counter_set() noexcept {
    return mgt_set;
}
const counter_set& sma_counter_set() noexcept {
    return sma_set;
}
const counter_set& smf_counter_set() noexcept {
    return smf_set;
}
const counter_set& vbe_counter_set() noexcept {
    return vbe_set;
}
const counter_set& lck_counter_set() noexcept {
    return lck_set;
}
const counter_set& mempool_counter_set() noexcept {
    return mempool_set;
}

void merge_into(main_counters& shared, main_counters& delta) noexcept {
    std::span<std::uint64_t> to = words_of(shared);
    std::span<std::uint64_t> from = words_of(delta);
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (from[i] != 0) {
            bump(to[i], from[i]);
            from[i] = 0;
        }
    }
}

} // namespace clearcoat::tables
