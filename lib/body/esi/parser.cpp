#include "body/esi/parser.hpp"

#include <algorithm>
#include <array>

namespace clearcoat::body::esi {

namespace {

constexpr std::string_view comment_end = "-->";
constexpr std::string_view cdata_end = "]]>";

/// What stands behind a "<".
enum class opening : std::uint8_t {
    other,
    esi_comment,
    empty_comment,
    comment,
    esi_end_tag,
    esi_tag,
    cdata,
    undecided
};

struct opening_row {
    std::string_view text;
    opening what;
};

// In the order in which they are tried: an earlier one that may still come keeps later ones waiting.
constexpr std::array<opening_row, 6> openings = {{
    {"!--esi", opening::esi_comment},
    {"!---->", opening::empty_comment},
    {"!--", opening::comment},
    {"/esi:", opening::esi_end_tag},
    {"esi:", opening::esi_tag},
    {"![CDATA[", opening::cdata},
}};

bool is_beginning(std::string_view text, std::string_view of) noexcept {
    return text.size() < of.size() && of.substr(0, text.size()) == text;
}

opening classify(std::string_view behind, bool last) noexcept {
    for (const opening_row& row : openings) {
        if (behind.substr(0, row.text.size()) == row.text) {
            return row.what;
        }
        if (!last && is_beginning(behind, row.text)) {
            return opening::undecided;
        }
    }
    return opening::other;
}

std::size_t size_of(opening what) noexcept {
    for (const opening_row& row : openings) {
        if (row.what == what) {
            return 1 + row.text.size();
        }
    }
    return 1;
}

/// How many bytes at the end of `text` may be the beginning of `wanted`.
std::size_t open_end(std::string_view text, std::string_view wanted) noexcept {
    std::size_t size = std::min(text.size(), wanted.size() - 1);
    while (size != 0 && text.substr(text.size() - size) != wanted.substr(0, size)) {
        --size;
    }
    return size;
}

bool is_line_space(char c) noexcept {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// The reference takes EB for the first byte of the mark; the true one is EF.
bool is_bom_start(char c) noexcept {
    return static_cast<unsigned char>(c) == 0xef || static_cast<unsigned char>(c) == 0xeb;
}

} // namespace

void parser::feed(std::string_view in, bool last) {
    last_ = last;
    if (!held_.empty()) {
        input_.swap(held_);
        held_.clear();
        input_ += in;
        in = input_;
    }
    at_ = in.data();
    end_ = at_ + in.size();
}

parser::piece parser::next() {
    while (at_ != end_) {
        piece p = step();
        if (p.what != piece::kind::none) {
            return p;
        }
        if (needs_more_) {
            needs_more_ = false;
            held_.assign(at_, end_);
            at_ = end_;
        }
    }
    bool between_tags = state_ <= state::text;
    if (last_ && !between_tags && !reported_end_) {
        reported_end_ = true;
        tell(problem::severity::error, "VEP ended inside a tag");
    }
    return {};
}

parser::piece parser::step() {
    switch (state_) {
    case state::start:
        return at_start();
    case state::test_xml:
        return at_first_character();
    case state::not_xml:
        return take_text(rest().size());
    case state::text:
        return at_text();
    case state::open:
        return at_open();
    case state::other_element:
        return until(">");
    case state::comment:
        return until(comment_end);
    case state::cdata:
        return until(cdata_end);
    case state::esi_name:
        return at_esi_name();
    default:
        return in_esi_tag();
    }
}

parser::piece parser::take(piece::kind what, std::size_t size) noexcept {
    if (size == 0) {
        return {};
    }
    piece p{what, {at_, size}};
    at_ += size;
    return p;
}

parser::piece parser::wait_for_more() noexcept {
    needs_more_ = true;
    return {};
}

void parser::fail(std::string_view text) noexcept {
    tell(problem::severity::error, text);
    state_ = state::tag_error;
}

parser::piece parser::at_start() {
    if (options_.remove_bom && is_bom_start(*at_)) {
        std::string_view tail = "\xbb\xbf";
        std::string_view behind = rest().substr(1, 2);
        if (behind == tail) {
            return take_skip(3);
        }
        if (!last_ && is_beginning(behind, tail)) {
            return wait_for_more();
        }
    }
    state_ = options_.disable_xml_check ? state::text : state::test_xml;
    return {};
}

/// A page whose first character is no "<" is not taken for XML, and not searched.
parser::piece parser::at_first_character() {
    std::size_t blanks = 0;
    while (blanks < rest().size() && is_line_space(rest()[blanks])) {
        ++blanks;
    }
    if (blanks < rest().size()) {
        char first = rest()[blanks];
        state_ = first == '<' ? state::open : state::not_xml;
        if (first != '<') {
            tell(problem::severity::note,
                 is_bom_start(first) ? "No ESI processing, first char not '<' but BOM. (See feature esi_remove_bom)"
                                     : "No ESI processing, first char not '<'. (See feature esi_disable_xml_check)");
        }
    }
    return take_text(blanks);
}

/// Goes on over elements that are not ours, so that an ordinary page comes in few pieces.
parser::piece parser::at_text() {
    std::string_view r = rest();
    for (std::size_t from = 0;;) {
        std::size_t tag = r.find('<', from);
        if (in_esi_comment_) {
            std::size_t end = r.substr(0, tag).find(comment_end, from);
            if (end != std::string_view::npos) {
                return end != 0 ? take_text(end) : end_esi_comment();
            }
        }
        if (tag == std::string_view::npos) {
            std::size_t open = in_esi_comment_ && !last_ ? open_end(r.substr(from), comment_end) : 0;
            return open == r.size() ? wait_for_more() : take_text(r.size() - open);
        }
        bool is_other = classify(r.substr(tag + 1), last_) == opening::other;
        std::size_t element_end = is_other && !options_.ignore_other_elements ? r.find('>', tag) : tag;
        if (!is_other || element_end == std::string_view::npos) {
            state_ = state::open;
            if (tag == 0 && !removing_) {
                return {piece::kind::text, {at_, 0}};
            }
            return take_text(tag);
        }
        from = element_end + 1;
    }
}

parser::piece parser::end_esi_comment() {
    in_esi_comment_ = false;
    found_ = true;
    return take_skip(comment_end.size());
}

parser::piece parser::at_open() {
    opening what = classify(rest().substr(1), last_);
    switch (what) {
    case opening::undecided:
        return wait_for_more();
    case opening::other:
        state_ = options_.ignore_other_elements ? state::text : state::other_element;
        return take_text(1);
    case opening::empty_comment:
        state_ = state::text;
        return take_text(size_of(what));
    case opening::comment:
        in_esi_comment_ = false;
        state_ = state::comment;
        return take_text(size_of(what));
    case opening::cdata:
        state_ = state::cdata;
        return take_text(size_of(what));
    case opening::esi_comment:
        if (removing_) {
            tell(problem::severity::error, "ESI 1.0 Nested <!--esi element in <esi:remove>");
        }
        in_esi_comment_ = true;
        state_ = state::text;
        return take_skip(size_of(what));
    default:
        if (rest().size() == size_of(what)) { // a tag has to go on, or it is none
            state_ = last_ ? state::esi_name : state_;
            return last_ ? take_text(size_of(what)) : wait_for_more();
        }
        found_ = true;
        is_end_tag_ = what == opening::esi_end_tag;
        state_ = state::esi_name;
        return take_skip(size_of(what));
    }
}

/// DIFFERS: an end like "--->" ends a comment; the reference's search overlooks it.
parser::piece parser::until(std::string_view end) {
    std::string_view r = rest();
    std::size_t found = r.find(end);
    if (found != std::string_view::npos) {
        state_ = state::text;
        return take_text(found + end.size());
    }
    std::size_t open = last_ ? 0 : open_end(r, end);
    return open == r.size() ? wait_for_more() : take_text(r.size() - open);
}

} // namespace clearcoat::body::esi
