#include "tables/bits.hpp"

namespace clearcoat::tables {
namespace {

constexpr bit_row feature_rows[] = {
#define CLEARCOAT_FEATURE_BIT(name, text) {#name, text},
#include "tables/bits.def"
};
constexpr bit_row debug_rows[] = {
#define CLEARCOAT_DEBUG_BIT(name, text) {#name, text},
#include "tables/bits.def"
};
constexpr bit_row experimental_rows[] = {
#define CLEARCOAT_EXPERIMENTAL_BIT(name, text) {#name, text},
#include "tables/bits.def"
};
constexpr bit_row vcc_rows[] = {
#define CLEARCOAT_VCC_BIT(name, text) {#name, text},
#include "tables/bits.def"
};

} // namespace

std::span<const bit_row> feature_bits() noexcept {
    return feature_rows;
}
std::span<const bit_row> debug_bits() noexcept {
    return debug_rows;
}
std::span<const bit_row> experimental_bits() noexcept {
    return experimental_rows;
}
std::span<const bit_row> vcc_feature_bits() noexcept {
    return vcc_rows;
}

} // namespace clearcoat::tables
