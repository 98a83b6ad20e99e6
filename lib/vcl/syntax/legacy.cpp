#include "vcl/syntax/legacy.hpp"

#include "vcl/syntax/lexer.hpp"
#include "vcl/syntax/source.hpp"

namespace clearcoat::vcl::syntax {

namespace {

const source& version_line() {
    static const source line = [] {
        source s;
        s.name = "<legacy>";
        s.kind = "builtin";
        s.text = "vcl 4.0;";
        return s;
    }();
    return line;
}

bool only_declarations(const std::vector<token>& tokens) {
    int depth = 0;
    bool at_start = true; // of a declaration
    for (const token& t : tokens) {
        if (at_start && !t.is_name("backend") && !t.is_name("probe") && !t.is_name("acl")) {
            return false;
        }
        depth += t.is('{') ? 1 : t.is('}') ? -1 : 0;
        at_start = depth == 0 && (t.is('}') || t.is(';'));
    }
    return !tokens.empty();
}

} // namespace

void add_missing_version(std::vector<token>& tokens, diagnostics& messages) {
    if (!only_declarations(tokens)) {
        return;
    }
    messages.print(
        "VCL version declaration missing: loaded as VCL 4.0.\nAdd\n\tvcl 4.0;\non the first line of the file.\n"
        "(That was just a warning)\n");
    std::vector<token> line;
    lex(version_line(), line, messages);
    line.pop_back();
    tokens.insert(tokens.begin(), line.begin(), line.end());
}

} // namespace clearcoat::vcl::syntax
