// Which stages a response's body passes when VCL has not said (resp.filters).
#pragma once

#include "flow/request.hpp"

#include <string_view>

namespace clearcoat::flow {

/// " esi gunzip range" or what applies, in the request's workspace; data() is nullptr when there was no room.
std::string_view default_filters(request& r) noexcept;

} // namespace clearcoat::flow
