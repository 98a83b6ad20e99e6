// VCLs from before version 4 that hold declarations only, as many tutorials show them.
#pragma once

#include "vcl/syntax/diagnostics.hpp"
#include "vcl/syntax/token.hpp"

#include <vector>

namespace clearcoat::vcl::syntax {

/// When the stream has no version line and only declares backends, probes and ACLs, puts "vcl 4.0;" in front and says
/// so; otherwise leaves everything as it is.
void add_missing_version(std::vector<token>& tokens, diagnostics& messages);

} // namespace clearcoat::vcl::syntax
