// The checks that need the whole VCL: names used but not defined, defined but not used, actions that a built-in
// subroutine cannot return through those it calls, variables out of their place, recursion.
#pragma once

#include "vcl/syntax/parser.hpp"

namespace clearcoat::vcl::sema {

/// Runs all checks; false after an error. Leaves in each procedure where it may be called (`allowed`).
bool check_references(syntax::parser& parsed, syntax::diagnostics& messages, bool unused_is_error);

} // namespace clearcoat::vcl::sema
