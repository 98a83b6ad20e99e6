// Pieces that parsing and printing of parameters share. Internal to tables/.
#pragma once

#include "tables/params.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::tables {

/// "80k", "0.75k", "255b": as few characters as keep the number, or two digits behind the point.
std::string bytes_text(std::uint64_t bytes);
/// The names of a parameter of bits.
std::span<const bit_row> bits_of(param_id id) noexcept;
/// The bit of vcc_feature that a parameter of kind vcc_bit stands for.
unsigned vcc_bit_of(param_id id) noexcept;
/// Words of a comma-separated list, without blanks around them.
std::vector<std::string_view> comma_words(std::string_view text);
/// What the parameter is for, with the tables of bits.
std::string text_of(const param_row& row);
/// Why a limit is what it is, when it depends on something; empty otherwise.
std::string_view min_reason(param_id id) noexcept;
std::string_view max_reason(param_id id) noexcept;
/// Whether the word "never" is a value: infinite seconds.
bool may_be_never(param_id id) noexcept;

} // namespace clearcoat::tables
