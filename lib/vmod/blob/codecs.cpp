#include "vmod/blob/codecs.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>

namespace clearcoat::vmod::blobs {

namespace {

/// The characters of a text in parts, one after the other, at most `limit`.
class char_source {
  public:
    char_source(const vcl::strand_list& text, std::size_t limit) noexcept : text_(text), left_(limit) {}

    /// -1 at the end.
    int next() noexcept {
        while (left_ > 0 && part_ < text_.count) {
            if (at_ < text_.parts[part_].size()) {
                --left_;
                return static_cast<unsigned char>(text_.parts[part_][at_++]);
            }
            ++part_;
            at_ = 0;
        }
        return -1;
    }

  private:
    const vcl::strand_list& text_;
    std::size_t left_;
    std::size_t part_ = 0;
    std::size_t at_ = 0;
};

std::size_t total_size(const vcl::strand_list& text) noexcept {
    std::size_t size = 0;
    for (std::size_t i = 0; i < text.count; ++i) {
        size += text.parts[i].size();
    }
    return size;
}

int hex_value(int c) noexcept {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

struct alphabet {
    char last_two[2];
    char padding; // 0: none
};

alphabet alphabet_of(scheme s) noexcept {
    switch (s) {
    case scheme::base64url:
        return {{'-', '_'}, '='};
    case scheme::base64urlnopad:
        return {{'-', '_'}, 0};
    case scheme::base64cf:
        return {{'-', '~'}, '_'};
    default:
        return {{'+', '/'}, '='};
    }
}

char base64_digit(const alphabet& a, unsigned v) noexcept {
    constexpr std::string_view common = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    return v < common.size() ? common[v] : a.last_two[v - common.size()];
}

int base64_value(const alphabet& a, int c) noexcept {
    const char ch = static_cast<char>(c);
    if (ch >= 'A' && ch <= 'Z') {
        return c - 'A';
    }
    if (ch >= 'a' && ch <= 'z') {
        return c - 'a' + 26;
    }
    if (base::is_digit(ch)) {
        return c - '0' + 52;
    }
    return ch == a.last_two[0] ? 62 : ch == a.last_two[1] ? 63 : -1;
}

/// The padding at the end, `c` its first character, behind `digits` digits; nothing may follow.
bool good_padding(const alphabet& a, char_source& in, int c, std::size_t digits) noexcept {
    std::size_t pads = 0;
    for (; c >= 0; c = in.next()) {
        if (a.padding == 0 || static_cast<char>(c) != a.padding) {
            return false;
        }
        ++pads;
    }
    return pads == 0 || (digits % 4 >= 2 && pads <= 4 - digits % 4);
}

std::optional<std::size_t> decode_base64(scheme s, char_source in, std::span<std::byte> out) noexcept {
    const alphabet a = alphabet_of(s);
    std::uint32_t bits = 0;
    std::size_t digits = 0;
    std::size_t size = 0;
    int c = in.next();
    for (; c >= 0; c = in.next()) {
        const int v = base64_value(a, c);
        if (v < 0) {
            break;
        }
        bits = bits << 6 | static_cast<std::uint32_t>(v);
        if (++digits % 4 != 1) {
            // Each digit but the first of four completes a byte.
            const std::size_t unused = 6 - 2 * ((digits - 1) % 4);
            out[size++] = static_cast<std::byte>(bits >> unused & 0xff);
        }
    }
    if (digits % 4 == 1 || !good_padding(a, in, c, digits)) {
        return std::nullopt;
    }
    return size;
}

std::size_t encode_base64(scheme s, std::span<const std::byte> bytes, std::span<char> out) noexcept {
    const alphabet a = alphabet_of(s);
    std::size_t size = 0;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t bits = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            bits = bits << 8 | (j < have ? std::to_integer<std::uint32_t>(bytes[i + j]) : 0);
        }
        for (std::size_t j = 0; j < 4; ++j) {
            if (j <= have) {
                out[size++] = base64_digit(a, bits >> (18 - 6 * j) & 63);
            } else if (a.padding != 0) {
                out[size++] = a.padding;
            }
        }
    }
    return size;
}

/// The whole text must be hex, also behind `length`; of an odd number of digits the first stands alone.
std::optional<std::size_t> decode_hex(const vcl::strand_list& text, std::size_t length,
                                      std::span<std::byte> out) noexcept {
    char_source all(text, static_cast<std::size_t>(-1));
    for (int c = all.next(); c >= 0; c = all.next()) {
        if (hex_value(c) < 0) {
            return std::nullopt;
        }
    }
    const std::size_t digits = std::min(length, total_size(text));
    char_source in(text, digits);
    std::size_t size = 0;
    int high = digits % 2 == 1 ? 0 : -1;
    for (int c = in.next(); c >= 0; c = in.next()) {
        if (high < 0) {
            high = hex_value(c);
        } else {
            out[size++] = static_cast<std::byte>(high << 4 | hex_value(c));
            high = -1;
        }
    }
    return size;
}

std::optional<std::size_t> decode_url(char_source in, std::span<std::byte> out) noexcept {
    std::size_t size = 0;
    for (int c = in.next(); c >= 0; c = in.next()) {
        if (c == '%') {
            const int high = hex_value(in.next());
            const int low = high < 0 ? -1 : hex_value(in.next());
            if (low < 0) {
                return std::nullopt;
            }
            c = high << 4 | low;
        }
        out[size++] = static_cast<std::byte>(c);
    }
    return size;
}

std::size_t decode_identity(char_source in, std::span<std::byte> out) noexcept {
    std::size_t size = 0;
    for (int c = in.next(); c >= 0; c = in.next()) {
        out[size++] = static_cast<std::byte>(c);
    }
    return size;
}

/// Unreserved characters, RFC 3986 section 2.3.
bool is_unreserved(char c) noexcept {
    return base::is_alnum(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

std::size_t encode_hex(scheme s, bool upper, std::span<const std::byte> bytes, std::span<char> out) noexcept {
    const char* digits = upper ? "0123456789ABCDEF" : "0123456789abcdef";
    std::size_t size = 0;
    for (std::byte b : bytes) {
        if (s == scheme::url && is_unreserved(static_cast<char>(b))) {
            out[size++] = static_cast<char>(b);
            continue;
        }
        if (s == scheme::url) {
            out[size++] = '%';
        }
        out[size++] = digits[std::to_integer<unsigned>(b) >> 4];
        out[size++] = digits[std::to_integer<unsigned>(b) & 15];
    }
    return size;
}

} // namespace

scheme scheme_named(std::string_view word) noexcept {
    static constexpr std::array<std::string_view, scheme_count> words{
        "IDENTITY", "BASE64", "BASE64URL", "BASE64URLNOPAD", "BASE64CF", "HEX", "URL"};
    const auto found = std::find(words.begin(), words.end(), word);
    return found == words.end() ? scheme::identity : static_cast<scheme>(found - words.begin());
}

std::size_t decoded_limit(scheme s, std::size_t size) noexcept {
    switch (s) {
    case scheme::identity:
    case scheme::url:
        return size;
    case scheme::hex:
        return (size + 1) / 2;
    default:
        return size * 3 / 4 + 1;
    }
}

std::size_t encoded_limit(scheme s, std::size_t size) noexcept {
    switch (s) {
    case scheme::identity:
        return size;
    case scheme::hex:
        return size * 2;
    case scheme::url:
        return size * 3;
    default:
        return (size + 2) / 3 * 4;
    }
}

std::optional<std::size_t> decode(scheme s, const vcl::strand_list& text, std::int64_t length,
                                  std::span<std::byte> out) noexcept {
    const std::size_t limit = length > 0 ? static_cast<std::size_t>(length) : static_cast<std::size_t>(-1);
    switch (s) {
    case scheme::identity:
        return decode_identity(char_source(text, limit), out);
    case scheme::hex:
        return decode_hex(text, limit, out);
    case scheme::url:
        return decode_url(char_source(text, limit), out);
    default:
        return decode_base64(s, char_source(text, limit), out);
    }
}

std::size_t encode(scheme s, bool upper, std::span<const std::byte> bytes, std::span<char> out) noexcept {
    if (writes_hex(s)) {
        return encode_hex(s, upper, bytes, out);
    }
    if (s == scheme::identity) {
        std::transform(bytes.begin(), bytes.end(), out.begin(), [](std::byte b) { return static_cast<char>(b); });
        return bytes.size();
    }
    return encode_base64(s, bytes, out);
}

} // namespace clearcoat::vmod::blobs
