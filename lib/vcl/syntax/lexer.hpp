// Text to tokens. Knows nothing of the grammar.
#pragma once

#include "vcl/syntax/diagnostics.hpp"
#include "vcl/syntax/source.hpp"
#include "vcl/syntax/token.hpp"

#include <string_view>
#include <vector>

namespace clearcoat::vcl::syntax {

/// Appends the tokens of `from`, a kind::end token last. False after an error, with the message written.
bool lex(const source& from, std::vector<token>& tokens, diagnostics& messages);

/// Whether `c` can stand in a name, and at its beginning.
bool is_name_char(char c) noexcept;
bool is_name_start(char c) noexcept;

} // namespace clearcoat::vcl::syntax
