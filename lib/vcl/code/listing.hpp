// A program in readable form.
#pragma once

#include "vcl/code/image.hpp"

#include <string>

namespace clearcoat::vcl::code {

/// Declarations, then each subroutine with its instructions, one a line: number, name, operands and what they stand
/// for.
std::string listing(const program_image& image);

} // namespace clearcoat::vcl::code
