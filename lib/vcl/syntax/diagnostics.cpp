#include "vcl/syntax/diagnostics.hpp"

#include "vcl/syntax/source.hpp"

namespace clearcoat::vcl::syntax {

namespace {

constexpr unsigned next_tab(unsigned column) noexcept {
    return (column & ~7U) + 8;
}

/// The rest of the source from the start of the line `at` is on.
std::string_view line_from(const source& from, const char* at) noexcept {
    std::string_view text = from.text;
    std::size_t offset = static_cast<std::size_t>(at - text.data());
    std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
    std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
    return text.substr(start);
}

/// Where a token ends, for places that mean its last character.
const char* last_of(const token& t) noexcept {
    return t.text.empty() ? t.begin() : t.end() - 1;
}

std::string_view first_line(std::string_view text) noexcept {
    return text.substr(0, text.find('\n'));
}

} // namespace

position position_cursor::at(const source& from, const char* place) noexcept {
    if (from_ != &from || place_ > place) {
        from_ = &from;
        place_ = from.text.data();
        line_ = 1;
        width_ = 0;
    }
    for (; place_ < place; ++place_) {
        if (*place_ == '\n') {
            ++line_;
            width_ = 0;
        } else {
            width_ = *place_ == '\t' ? next_tab(width_) : width_ + 1;
        }
    }
    return {line_, width_ + 1};
}

position position_of(const source& from, const char* at) noexcept {
    return position_cursor().at(from, at);
}

void diagnostics::token_name(const token& t) {
    if (t.is(kind::end)) {
        text_ += "end of input";
    } else if (t.is(kind::inline_c)) {
        text_ += "C{ ... }C";
    } else {
        print("'{}'", t.text);
    }
}

void diagnostics::quote_line(std::string_view line) {
    unsigned column = 0;
    for (char c : line) {
        unsigned next = c == '\t' ? next_tab(column) : column + 1;
        text_.append(next - column, c == '\t' ? ' ' : c);
        column = next;
    }
    text_ += '\n';
}

void diagnostics::mark_line(std::string_view line, const char* begin, const char* end) {
    unsigned column = 0;
    for (const char& c : line) {
        unsigned next = c == '\t' ? next_tab(column) : column + 1;
        text_.append(next - column, &c >= begin && &c < end ? '#' : '-');
        column = next;
    }
    text_ += '\n';
}

void diagnostics::where(const token& t) {
    position p = position_of(*t.from, t.begin());
    print("('{}' Line {} Pos {})\n", t.from->name, p.line, p.column);
    std::string_view line = first_line(line_from(*t.from, t.begin()));
    quote_line(line);
    mark_line(line, t.begin(), t.end());
    text_ += '\n';
    failed_ = true;
}

void diagnostics::where(const token& first, const token& last) {
    position p = position_of(*first.from, first.begin());
    position q = position_of(*last.from, last_of(last));
    std::string_view line = first_line(line_from(*first.from, first.begin()));
    std::string_view other = first_line(line_from(*last.from, last_of(last)));
    print("('{}' Line {} Pos {})", first.from->name, p.line, p.column);
    if (line.data() == other.data()) {
        print(" -- (Pos {})\n", q.column);
        quote_line(line);
        mark_line(line, first.begin(), last.end());
    } else {
        bool adjacent = line.data() + line.size() + 1 == other.data();
        if (adjacent) {
            print(" -- ('{}' Line {} Pos {})", last.from->name, q.line, q.column);
        }
        text_ += '\n';
        quote_line(line);
        mark_line(line, first.begin(), last.end());
        if (!adjacent) {
            print("[...]\n('{}' Line {} Pos {})\n", last.from->name, q.line, q.column);
        }
        quote_line(other);
        mark_line(other, first.begin(), last.end());
    }
    text_ += '\n';
    failed_ = true;
}

void diagnostics::only_warning() {
    text_ += "(That was just a warning)\n";
    failed_ = false;
}

} // namespace clearcoat::vcl::syntax
