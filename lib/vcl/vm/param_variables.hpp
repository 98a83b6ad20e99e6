// The variables param.*: parameters as VCL reads them, anew at each reading. Any thread.
#pragma once

#include "tables/vcl_variables.hpp"
#include "vcl/types.hpp"

namespace clearcoat::tables {
class param_block;
}

namespace clearcoat::vcl {

/// False: no such variable.
bool read_param(tables::vcl_variable variable, const tables::param_block& params, value& out) noexcept;

} // namespace clearcoat::vcl
