// The signatures in module tables, as text. Private to module.cpp.
#pragma once

#include "vcl/module.hpp"

#include <string_view>

namespace clearcoat::vcl {

/// "REAL random(REAL lo, REAL hi)", without the result for constructors. Defaults are kept as text only. A signature
/// that does not parse is a fault of the program: panics.
function_info parse_signature(const char* signature, bool with_result);

/// The word of signatures for a type ("STRANDS").
std::string_view word_of(type t) noexcept;

} // namespace clearcoat::vcl
