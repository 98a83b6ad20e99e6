#include "base/ascii.hpp"

namespace clearcoat::base {

bool is_token_char(char c) noexcept {
    return is_alnum(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

} // namespace clearcoat::base
