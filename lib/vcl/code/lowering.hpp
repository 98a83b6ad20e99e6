// Turns the checked tree into a program's image. Cannot fail: all that could was refused before.
#pragma once

#include "vcl/code/image.hpp"
#include "vcl/syntax/tree.hpp"

#include <memory>

namespace clearcoat::vcl::code {

/// Takes what it can out of `tree`; the image refers to nothing of the compilation afterwards.
std::unique_ptr<program_image> lower(syntax::tree&& tree);

} // namespace clearcoat::vcl::code
