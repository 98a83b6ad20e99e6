// The parser inside the tag of an ESI element: attributes, their values, the tag's end.
#include "base/ascii.hpp"
#include "body/esi/parser.hpp"

#include <utility>

namespace clearcoat::body::esi {

namespace {

bool is_beginning(std::string_view text, std::string_view of) noexcept {
    return text.size() < of.size() && of.substr(0, text.size()) == text;
}

bool is_line_space(char c) noexcept {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool is_name_start(char c) noexcept {
    auto byte = static_cast<unsigned char>(c);
    return base::is_alpha(c) || c == '_' || c == ':' || (byte >= 0xc0 && byte != 0xd7 && byte != 0xf7);
}

bool is_name_char(char c) noexcept {
    return is_name_start(c) || base::is_digit(c) || c == '-' || c == '.' || static_cast<unsigned char>(c) == 0xb7;
}

} // namespace

parser::piece parser::in_esi_tag() {
    switch (state_) {
    case state::in_tag:
        return at_in_tag();
    case state::attribute:
        return at_attribute();
    case state::skip_attribute:
        return at_skip_attribute();
    case state::attribute_delimiter:
        return at_attribute_delimiter();
    case state::attribute_value:
        return at_attribute_value();
    default:
        return at_tag_error();
    }
}

parser::piece parser::at_tag_error() {
    std::size_t end = rest().find('>');
    if (end == std::string_view::npos) {
        return take_skip(rest().size());
    }
    state_ = state::text;
    return take_skip(end + 1);
}

parser::piece parser::at_in_tag() {
    std::string_view r = rest();
    std::size_t at = 0;
    while (at < r.size() && !is_empty_tag_ && is_line_space(r[at])) {
        may_have_attribute_ = true;
        ++at;
    }
    if (at < r.size() && r[at] == '/' && !is_empty_tag_) {
        is_empty_tag_ = true;
        may_have_attribute_ = false;
        ++at;
    }
    if (at == r.size()) {
        return take_skip(at);
    }
    if (r[at] == '>') {
        state_ = state::text;
        end_element();
        return take_skip(at + 1);
    }
    if (is_empty_tag_) {
        fail("XML 1.0 '>' does not follow '/' in tag");
    } else if (may_have_attribute_ && is_name_start(r[at])) {
        state_ = state::attribute;
    } else {
        fail("XML 1.0 Illegal attribute start char");
    }
    return take_skip(at);
}

parser::piece parser::at_attribute() {
    attribute_ = attribute_kind::other;
    state_ = state::skip_attribute;
    if (element_ != element::include) {
        return {};
    }
    for (auto [name, kind] : {std::pair(std::string_view("src="), attribute_kind::src),
                              std::pair(std::string_view("onerror="), attribute_kind::onerror)}) {
        if (rest().substr(0, name.size()) == name) {
            attribute_ = kind;
            value_.clear();
            state_ = state::attribute_delimiter;
            return take_skip(name.size());
        }
        if (!last_ && is_beginning(rest(), name)) {
            state_ = state::attribute;
            return wait_for_more();
        }
    }
    return {};
}

parser::piece parser::at_skip_attribute() {
    std::string_view r = rest();
    std::size_t at = 0;
    while (at < r.size() && is_name_char(r[at])) {
        ++at;
    }
    if (at == r.size()) {
        return take_skip(at);
    }
    if (r[at] == '=') {
        state_ = state::attribute_delimiter;
        return take_skip(at + 1);
    }
    if (r[at] == '>' || r[at] == '/' || base::is_blank(r[at])) {
        state_ = state::in_tag;
    } else {
        fail("XML 1.0 Illegal attr char");
    }
    return take_skip(at);
}

parser::piece parser::at_attribute_delimiter() {
    char c = *at_;
    if (base::is_blank(c)) {
        fail("XML 1.0 Illegal attribute delimiter");
        return {};
    }
    bool is_quote = c == '"' || c == '\'';
    delimiter_ = is_quote ? c : ' ';
    state_ = state::attribute_value;
    return take_skip(is_quote ? 1 : 0);
}

parser::piece parser::at_attribute_value() {
    std::string_view r = rest();
    std::size_t at = 0;
    while (at < r.size() && r[at] != '>' && r[at] != delimiter_ && (delimiter_ != ' ' || !base::is_blank(r[at]))) {
        ++at;
    }
    if (attribute_ != attribute_kind::other) {
        value_ += r.substr(0, at);
    }
    if (at == r.size()) {
        return take_skip(at);
    }
    if (r[at] == '>') {
        fail("XML 1.0 Missing end attribute delimiter");
        return take_skip(at);
    }
    state_ = state::in_tag;
    attribute_complete();
    return take_skip(at + 1);
}

} // namespace clearcoat::body::esi
