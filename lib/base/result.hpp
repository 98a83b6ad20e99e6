// How functions return a value or a reason: boost::system::result, and the project's own reasons beside the system's.
#pragma once

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>

namespace clearcoat::base {

using boost::system::error_code;
using boost::system::result;

} // namespace clearcoat::base
