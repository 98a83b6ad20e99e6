// Makes the code that runs when VCL_trace is not wanted: without trace points, with small subroutines in the place of
// their calls, and with the commonest tests as one instruction. The code as lowered stays what listings show, what
// traces follow, and what is run when a subroutine is called by value.
#pragma once

#include "vcl/code/image.hpp"

namespace clearcoat::vcl::code {

/// Fills image.quick and each subroutine's quick_entry. The rest of the image is complete.
void quicken(program_image& image);

} // namespace clearcoat::vcl::code
