#include "logread/quote.hpp"

#include <algorithm>
#include <array>

namespace clearcoat::logread {
namespace {

constexpr bool is_plain(unsigned char c, quoting how) noexcept {
    return c >= 0x20 && c != '"' && c != '\\' && (c <= 0x7e || how == quoting::json);
}

constexpr std::array<bool, 256> plain_table(quoting how) noexcept {
    std::array<bool, 256> table{};
    for (unsigned c = 0; c < 256; ++c) {
        table[c] = is_plain(static_cast<unsigned char>(c), how);
    }
    return table;
}
constexpr std::array<bool, 256> plain_hex = plain_table(quoting::hex);
constexpr std::array<bool, 256> plain_json = plain_table(quoting::json);

void append_escaped(unsigned char c, quoting how, std::string& out) {
    constexpr std::string_view digits = "0123456789abcdef";
    switch (c) {
    case '"':
    case '\\':
        out += '\\';
        out += static_cast<char>(c);
        return;
    case '\n':
        out += "\\n";
        return;
    case '\r':
        out += "\\r";
        return;
    case '\t':
        out += "\\t";
        return;
    default:
        break;
    }
    // DIFFERS: the reference writes \v into JSON too, which no reader of JSON takes.
    if (c == '\v' && how == quoting::hex) {
        out += "\\v";
        return;
    }
    out += how == quoting::json ? "\\u00" : "\\x";
    out += digits[c >> 4];
    out += digits[c & 15];
}

} // namespace

void append_quoted(std::string_view text, quoting how, std::string& out) {
    const std::array<bool, 256>& plain = how == quoting::json ? plain_json : plain_hex;
    const auto special = [&plain](char c) { return !plain[static_cast<unsigned char>(c)]; };
    auto at = text.begin();
    while (at != text.end()) {
        const auto stop = std::find_if(at, text.end(), special);
        out.append(at, stop);
        at = stop;
        if (at != text.end()) {
            append_escaped(static_cast<unsigned char>(*at), how, out);
            ++at;
        }
    }
}

} // namespace clearcoat::logread
