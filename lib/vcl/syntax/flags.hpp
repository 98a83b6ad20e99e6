// The +name and -name flags of include statements and ACLs.
#pragma once

#include "vcl/syntax/diagnostics.hpp"
#include "vcl/syntax/token.hpp"

namespace clearcoat::vcl::syntax {

enum class flag { none, on, off };

/// Whether `sign` and the token behind it make a flag. A sign that stands apart is an error.
inline flag flag_at(const token& sign, const token& behind, diagnostics& messages) {
    if (!sign.is('+') && !sign.is('-')) {
        return flag::none;
    }
    if (behind.begin() != sign.end()) {
        messages.print("Expected a flag at:\n");
        messages.where(sign);
        return flag::none;
    }
    return sign.is('+') ? flag::on : flag::off;
}

} // namespace clearcoat::vcl::syntax
