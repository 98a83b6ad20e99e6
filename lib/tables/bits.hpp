// The bits of the parameters feature, debug, experimental and vcc_feature, by name. param_block reads them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace clearcoat::tables {

enum class feature : std::uint8_t {
#define CLEARCOAT_FEATURE_BIT(name, text) name,
#include "tables/bits.def"
};

enum class debug : std::uint8_t {
#define CLEARCOAT_DEBUG_BIT(name, text) name,
#include "tables/bits.def"
};

enum class experimental : std::uint8_t {
#define CLEARCOAT_EXPERIMENTAL_BIT(name, text) name,
#include "tables/bits.def"
};

enum class vcc_feature : std::uint8_t {
#define CLEARCOAT_VCC_BIT(name, text) name,
#include "tables/bits.def"
};

struct bit_row {
    std::string_view name;
    std::string_view text;
};

std::span<const bit_row> feature_bits() noexcept;
std::span<const bit_row> debug_bits() noexcept;
std::span<const bit_row> experimental_bits() noexcept;
std::span<const bit_row> vcc_feature_bits() noexcept;

} // namespace clearcoat::tables
