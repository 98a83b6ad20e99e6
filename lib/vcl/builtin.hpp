// The text of config/builtin.vcl, embedded when the project is built: what every loaded VCL ends with.
#pragma once

#include <string_view>

namespace clearcoat::vcl {

/// Lives as long as the program.
std::string_view builtin_vcl() noexcept;

} // namespace clearcoat::vcl
