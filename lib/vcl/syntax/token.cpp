#include "vcl/syntax/token.hpp"

#include <array>

namespace clearcoat::vcl::syntax {

namespace {

constexpr std::array<std::string_view, 22> names = {"EOI", "ID", "CNUM", "FNUM", "CSTR", "CSRC", "CBLOB", "++",
                                                    "--",  "&&", "||",   "<=",   "==",   "!=",   ">=",    ">>",
                                                    "<<",  "+=", "-=",   "*=",   "/=",   "!~"};

struct quoted {
    char text[4];
};

} // namespace

std::string_view expected_name(kind k) noexcept {
    if (k >= kind::end) {
        return names[static_cast<std::size_t>(k) - static_cast<std::size_t>(kind::end)];
    }
    static const auto table = [] {
        std::array<quoted, 128> t{};
        for (std::size_t i = 0; i < t.size(); ++i) {
            t[i] = {{'\'', static_cast<char>(i), '\'', '\0'}};
        }
        return t;
    }();
    return {table[static_cast<std::size_t>(k)].text, 3};
}

} // namespace clearcoat::vcl::syntax
