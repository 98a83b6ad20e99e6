#include "http/h1/dissect.hpp"

#include "base/ascii.hpp"
#include "http/h1/scan.hpp"
#include "http/status.hpp"

#include <algorithm>
#include <array>

namespace clearcoat::http::h1 {

namespace {

constexpr std::size_t excerpt_size = 20;

constexpr std::array<bool, 256> make_token_table() noexcept {
    std::array<bool, 256> table{};
    for (unsigned c = 0; c < 256; ++c) {
        table[c] = base::is_alnum(static_cast<char>(c));
    }
    for (char c : {'!', '#', '$', '%', '&', '\'', '*', '+', '-', '.', '^', '_', '`', '|', '~'}) {
        table[static_cast<unsigned char>(c)] = true;
    }
    return table;
}

constexpr std::array<bool, 256> token_table = make_token_table();

bool is_token(char c) noexcept {
    return token_table[static_cast<unsigned char>(c)];
}

/// 2 for CR LF, 1 for LF, 0 for anything else.
std::size_t line_end_size(const char* at, const char* end) noexcept {
    if (at == end) {
        return 0;
    }
    if (*at == '\n') {
        return 1;
    }
    return *at == '\r' && at + 1 != end && at[1] == '\n' ? 2 : 0;
}

/// Walks through one head. Every step returns false after it has set why_.
class walker {
  public:
    walker(std::span<char> received, head& out, std::size_t max_line) noexcept
        : begin_(received.data()), at_(begin_), end_(begin_ + received.size()), out_(out), max_line_(max_line) {}

    bool start_line() noexcept;
    bool fields() noexcept;
    bool fail(fault why) noexcept {
        result_.why = why;
        return false;
    }
    dissected result() const noexcept { return result_; }

    std::string_view first, second, third;

  private:
    bool word(std::string_view& out) noexcept;
    bool blanks() noexcept;
    bool rest_of_line() noexcept;
    bool find_line() noexcept;
    bool take_line() noexcept;
    bool check_name(std::size_t size) noexcept;
    bool fail_at_line(fault why) noexcept {
        std::size_t size = static_cast<std::size_t>(line_end_ - line_);
        result_.excerpt = {line_, std::min(size, excerpt_size)};
        return fail(why);
    }
    bool fail_at_byte(fault why, char byte) noexcept {
        result_.byte = static_cast<unsigned char>(byte);
        return fail(why);
    }

    char* begin_;
    char* at_;
    char* end_;
    char* line_ = nullptr;     // the field at hand
    char* line_end_ = nullptr; // before its line end
    head& out_;
    std::size_t max_line_;
    dissected result_;
};

/// A run of visible characters, ended by a blank or, for the last word, a line end.
bool walker::word(std::string_view& out) noexcept {
    char* from = at_;
    at_ = find_word_end(at_, end_);
    if (at_ != end_ && *at_ != ' ' && *at_ != '\t' && *at_ != '\r' && *at_ != '\n') {
        return fail(fault::bad_start_line);
    }
    out = {from, static_cast<std::size_t>(at_ - from)};
    return at_ != end_ && !out.empty() ? true : fail(fault::bad_start_line);
}

/// A tab is refused here, though not as the very first blank: that is what the reference does.
bool walker::blanks() noexcept {
    while (at_ != end_ && *at_ == ' ') {
        ++at_;
    }
    return at_ != end_ && *at_ != '\t' ? true : fail(fault::bad_start_line);
}

bool walker::rest_of_line() noexcept {
    char* from = at_;
    at_ = find_line_stop(at_, end_);
    std::size_t ending = line_end_size(at_, end_);
    if (ending == 0) {
        return fail(fault::bad_start_line);
    }
    if (at_ != from) {
        third = {from, static_cast<std::size_t>(at_ - from)};
    }
    at_ += ending;
    return true;
}

bool walker::start_line() noexcept {
    while (at_ != end_ && (base::is_blank(*at_) || *at_ == '\r' || *at_ == '\n')) {
        ++at_;
    }
    if (!word(first)) {
        return false;
    }
    if (!base::is_blank(*at_)) {
        return fail(fault::bad_start_line);
    }
    ++at_;
    return blanks() && word(second) && blanks() && rest_of_line();
}

/// Finds where the line at at_ ends, folded lines included: those become one in place, as RFC 9112 §5.2 allows.
bool walker::find_line() noexcept {
    line_ = at_;
    char* stop = at_;
    for (;;) {
        stop = find_line_stop(stop, end_);
        std::size_t ending = line_end_size(stop, end_);
        if (ending == 0) {
            return fail_at_byte(fault::control_character, stop == end_ ? '\0' : *stop);
        }
        char* next = stop + ending;
        if (next == end_ || !base::is_blank(*next)) {
            line_end_ = stop;
            at_ = next;
            return true;
        }
        std::fill(stop, next, ' ');
        stop = next;
        while (stop != end_ && base::is_blank(*stop)) {
            *stop++ = ' ';
        }
    }
}

bool walker::check_name(std::size_t size) noexcept {
    for (char* c = line_; c != line_ + size; ++c) {
        if (!is_token(*c)) {
            return fail_at_byte(fault::bad_name_character, *c);
        }
    }
    if (line_ + size == line_end_) {
        return fail_at_line(fault::no_colon);
    }
    return size <= UINT16_MAX || fail_at_line(fault::line_too_long);
}

bool walker::take_line() noexcept {
    if (static_cast<std::size_t>(line_end_ - line_) > max_line_) {
        return fail_at_line(fault::line_too_long);
    }
    if (base::is_blank(*line_)) {
        return fail_at_line(fault::leading_blank);
    }
    if (*line_ == ':') {
        return fail_at_line(fault::empty_name);
    }
    std::uint8_t flags = *line_end_ == '\r' ? field::crlf_behind : std::uint8_t(0);
    while (base::is_blank(line_end_[-1])) {
        --line_end_;
        flags = 0;
    }
    const char* colon = find_near(line_, line_end_, ':');
    auto name_size = static_cast<std::size_t>(colon - line_);
    field_id id = find_field_id({line_, name_size});
    bool needs_check = id == field_id::other || colon == line_end_;
    if (needs_check && !check_name(name_size)) {
        return false;
    }
    if (!out_.make_room(1)) {
        return fail_at_line(out_.fields().size() >= out_.max_fields() ? fault::too_many_fields : fault::no_memory);
    }
    out_.push_silently(
        {line_, static_cast<std::uint32_t>(line_end_ - line_), static_cast<std::uint16_t>(name_size), id, flags});
    return true;
}

bool walker::fields() noexcept {
    out_.drop_fields();
    for (;;) {
        std::size_t ending = line_end_size(at_, end_);
        if (ending != 0) {
            at_ += ending;
            result_.size = static_cast<std::size_t>(at_ - begin_);
            return true;
        }
        if (!find_line() || !take_line()) {
            return false;
        }
    }
}

unsigned parse_status(std::string_view digits) noexcept {
    if (digits.size() != 3 || digits[0] < '1' || digits[0] > '9' || !base::is_digit(digits[1]) ||
        !base::is_digit(digits[2])) {
        return 0;
    }
    return static_cast<unsigned>(100 * (digits[0] - '0') + 10 * (digits[1] - '0') + (digits[2] - '0'));
}

} // namespace

dissected dissect_request(std::span<char> received, head& out, std::size_t max_line) noexcept {
    walker w(received, out, max_line);
    if (w.start_line() && w.fields()) {
        unsigned version = parse_version(w.third);
        if (version != 10 && version != 11) {
            w.fail(fault::bad_protocol);
        } else {
            out.set_start_line_silently(w.first, w.second, w.third, version);
        }
    }
    return w.result();
}

dissected dissect_response(std::span<char> received, head& out, std::size_t max_line,
                           unsigned request_version) noexcept {
    walker w(received, out, max_line);
    if (!w.start_line() || !w.fields()) {
        return w.result();
    }
    unsigned version = parse_version(w.first);
    if (version < 10) {
        w.fail(fault::bad_protocol);
        return w.result();
    }
    unsigned status = parse_status(w.second);
    if (status == 0) {
        w.fail(fault::bad_status);
        return w.result();
    }
    std::string_view protocol = w.first;
    if (version > request_version) {
        protocol = request_version == 10 ? "HTTP/1.0" : "HTTP/1.1";
        version = request_version;
    }
    out.set_status_line_silently(protocol, version, status, w.third.empty() ? reason_phrase(status) : w.third);
    return w.result();
}

dissected dissect_fields(std::span<char> received, head& out, std::size_t max_line) noexcept {
    walker w(received, out, max_line);
    w.fields();
    return w.result();
}

} // namespace clearcoat::http::h1
