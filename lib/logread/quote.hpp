// Text from the wire made safe to print on a line.
#pragma once

#include <string>
#include <string_view>

namespace clearcoat::logread {

enum class quoting {
    hex, // what is no printable ASCII becomes \xHH, \n, \t and so on; quotes and backslashes get a backslash
    json // the inside of a JSON string: control characters become \uHHHH or the short forms
};

void append_quoted(std::string_view text, quoting how, std::string& out);

} // namespace clearcoat::logread
