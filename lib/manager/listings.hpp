// What -?, -V and -x print.
#pragma once

#include <string>
#include <string_view>

namespace clearcoat::manager {

std::string usage();
/// The text of `-x what`. Throws option_error for a word that is none.
std::string listing(std::string_view what);

} // namespace clearcoat::manager
