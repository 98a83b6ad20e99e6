#include "logread/json_writer.hpp"

#include "base/ascii.hpp"
#include "logread/quote.hpp"

namespace clearcoat::logread {
namespace {

bool is_number(std::string_view text) noexcept {
    bool point = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool here = text[i] == '.' && !point && i > 0 && i + 1 < text.size();
        if (!base::is_digit(text[i]) && !here) {
            return false;
        }
        point = point || here;
    }
    // JSON has no numbers that begin with a zero of no use.
    return !text.empty() && (text.size() == 1 || text.front() != '0' || text[1] == '.');
}

/// JSON texts are UTF-8; bytes from the wire that are not become U+FFFD.
std::string valid_utf8(std::string_view bytes) {
    std::string text;
    for (std::size_t i = 0; i < bytes.size();) {
        const auto lead = static_cast<unsigned char>(bytes[i]);
        const std::size_t size = lead < 0x80                   ? 1
                                 : lead >= 0xc2 && lead < 0xe0 ? 2
                                 : (lead & 0xf0) == 0xe0       ? 3
                                 : lead >= 0xf0 && lead < 0xf5 ? 4
                                                               : 0;
        bool good = size > 0 && i + size <= bytes.size();
        for (std::size_t k = 1; good && k < size; ++k) {
            good = (static_cast<unsigned char>(bytes[i + k]) & 0xc0) == 0x80;
        }
        const auto next = good && size > 2 ? static_cast<unsigned char>(bytes[i + 1]) : 0U;
        // Longer than need be, or half of a pair.
        good = good && !(lead == 0xe0 && next < 0xa0) && !(lead == 0xed && next > 0x9f) &&
               !(lead == 0xf0 && next < 0x90) && !(lead == 0xf4 && next > 0x8f);
        text += good ? bytes.substr(i, size) : std::string_view("\xef\xbf\xbd");
        i += good ? size : 1;
    }
    return text;
}

} // namespace

json_writer::json_writer(std::string& out, char open) : out_(out), close_(open == '{' ? '}' : ']') {
    out_ += open;
}

void json_writer::name(std::string_view key) {
    item();
    out_ += '"';
    out_ += key;
    out_ += "\":";
}

void json_writer::item() {
    out_ += first_ ? "" : ",";
    first_ = false;
}

void json_writer::text(std::string_view value) {
    out_ += '"';
    append_quoted(valid_utf8(value), quoting::json, out_);
    out_ += '"';
}

void json_writer::text(std::string_view key, std::string_view value) {
    if (value.data() != nullptr) {
        name(key);
        text(value);
    }
}

void json_writer::number(std::string_view key, std::string_view value) {
    if (!is_number(value)) {
        return text(key, value);
    }
    name(key);
    out_ += value;
}

} // namespace clearcoat::logread
