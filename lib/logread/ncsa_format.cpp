#include "logread/ncsa_format.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include <fmt/core.h>

namespace clearcoat::logread {
namespace {

constexpr char usual_date[] = "[%d/%b/%Y:%T %z]";

struct number_name {
    std::string_view name;
    ncsa_time unit;
};
constexpr std::array date_numbers{
    number_name{"sec", ncsa_time::seconds},
    number_name{"msec", ncsa_time::milliseconds},
    number_name{"usec", ncsa_time::microseconds},
    number_name{"msec_frac", ncsa_time::millisecond_part},
    number_name{"usec_frac", ncsa_time::microsecond_part},
};
constexpr std::array elapsed_numbers{
    number_name{"s", ncsa_time::seconds},
    number_name{"ms", ncsa_time::milliseconds},
    number_name{"us", ncsa_time::microseconds},
};

template<std::size_t Size>
const number_name* find_unit(const std::array<number_name, Size>& names, std::string_view name) noexcept {
    for (const number_name& n : names) {
        if (n.name == name) {
            return &n;
        }
    }
    return nullptr;
}

class parser {
  public:
    parser(std::string_view text, bool json) : text_(text), json_(json) {
        made_.how = json ? quoting::json : quoting::hex;
    }

    std::optional<ncsa_format> run(std::string& error) {
        take_text();
        error = std::move(error_);
        return error.empty() ? std::optional(std::move(made_)) : std::nullopt;
    }

  private:
    void take_text() {
        while (at_ < text_.size() && error_.empty()) {
            const char c = text_[at_++];
            if (c == '\\' && at_ < text_.size()) {
                const char escaped = text_[at_++];
                literal_ += escaped == 't' ? '\t' : escaped == 'n' ? '\n' : escaped;
            } else if (c != '%') {
                literal_ += c;
            } else {
                end_literal();
                take_formatter();
            }
        }
        end_literal();
    }

    /// The usual format as a part of another.
    void take_usual() {
        const std::string_view rest = std::exchange(text_, ncsa_format::usual);
        const std::size_t at = std::exchange(at_, 0);
        take_text();
        text_ = rest;
        at_ = at;
    }

    void end_literal() {
        if (!literal_.empty()) {
            add({ncsa_piece_kind::literal, 0, {}, false, std::exchange(literal_, {})});
        }
    }

    void add(ncsa_piece piece) { made_.pieces.push_back(std::move(piece)); }
    void add(ncsa_piece_kind kind) { add({kind, 0, {}, false, {}}); }
    void add_part(unsigned part, std::string missing) {
        add({ncsa_piece_kind::part, part, {}, false, std::move(missing)});
    }
    void add_text(ncsa_part part) { add_part(static_cast<unsigned>(part), missing_text()); }
    void add_number(ncsa_part part) { add_part(static_cast<unsigned>(part), json_ ? "0" : "-"); }
    std::string missing_text() const { return json_ ? "" : "-"; }

    void take_formatter() {
        const std::size_t begin = at_ - 1;
        const char c = at_ < text_.size() ? text_[at_++] : '\0';
        switch (c) {
        case 'b':
            return add_number(ncsa_part::body_bytes);
        case 'D':
            return add_elapsed("us");
        case 'h':
            return add_text(ncsa_part::host);
        case 'H':
            return add_part(static_cast<unsigned>(ncsa_part::protocol), "HTTP/1.0");
        case 'I':
            return add_number(ncsa_part::received);
        case 'l':
            literal_ += '-';
            return;
        case 'm':
            return add_text(ncsa_part::method);
        case 'O':
            return add_number(ncsa_part::sent);
        case 'q':
            return add_part(static_cast<unsigned>(ncsa_part::parameters), "");
        case 'r':
            return add(ncsa_piece_kind::request_line);
        case 's':
            return add_number(ncsa_part::status);
        case 't':
            return add_date(usual_date);
        case 'T':
            return add_elapsed("s");
        case 'u':
            return add({ncsa_piece_kind::user, 0, {}, false, "-"});
        case 'U':
            return add_text(ncsa_part::path);
        case '{':
            return take_braces(begin);
        default:
            error_ = fmt::format("Unknown format specifier at: {}", text_.substr(begin));
        }
    }

    void take_braces(std::size_t begin) {
        std::size_t end = at_;
        for (int open = 1; end < text_.size(); ++end) {
            open += text_[end] == '{' ? 1 : text_[end] == '}' ? -1 : 0;
            if (open == 0) {
                break;
            }
        }
        if (end == text_.size()) {
            error_ = fmt::format("Unmatched bracket at: {}", text_.substr(begin));
            return;
        }
        const std::string_view name = text_.substr(at_, end - at_);
        const char c = end + 1 < text_.size() ? text_[end + 1] : '\0';
        at_ = end + 2;
        switch (c) {
        case 'i':
            return add_header(made_.request_headers, name);
        case 'o':
            return add_header(made_.response_headers, name);
        case 't':
            return add_date(name);
        case 'T':
            return add_elapsed(name);
        case 'x':
            return take_extension(name);
        default:
            error_ = fmt::format("Unknown format specifier at: {}", text_.substr(begin));
        }
    }

    void add_watch(std::vector<ncsa_watch>& watches, std::string_view key, std::string missing) {
        watches.push_back({std::string(key) + ':', made_.parts, ncsa_choice::usual});
        add_part(made_.parts++, std::move(missing));
    }

    /// "name", "name:first" or "name:last"
    void add_header(std::vector<ncsa_watch>& watches, std::string_view text) {
        const std::size_t colon = std::min(text.find(':'), text.size());
        const std::string_view which = text.substr(colon);
        if (!which.empty() && which != ":first" && which != ":last") {
            error_ = fmt::format("Unknown match rule {}", which);
            return;
        }
        add_watch(watches, text.substr(0, colon), missing_text());
        watches.back().choice = which.empty()       ? ncsa_choice::usual
                                : which == ":first" ? ncsa_choice::first
                                                    : ncsa_choice::last;
    }

    void add_date(std::string_view form) {
        if (const number_name* n = find_unit(date_numbers, form)) {
            add({ncsa_piece_kind::number, 0, n->unit, false, {}});
        } else {
            add({ncsa_piece_kind::date, 0, {}, false, std::string(form)});
        }
    }

    void add_elapsed(std::string_view unit) {
        if (const number_name* n = find_unit(elapsed_numbers, unit)) {
            add({ncsa_piece_kind::number, 0, n->unit, true, {}});
        } else {
            error_ = fmt::format("Unknown specifier: %{{{}}}T", unit);
        }
    }

    void take_extension(std::string_view name) {
        if (name == "Varnish:time_firstbyte") {
            add_number(ncsa_part::first_byte);
        } else if (name == "Varnish:hitmiss") {
            add(ncsa_piece_kind::hit_or_miss);
        } else if (name == "Varnish:handling") {
            add(ncsa_piece_kind::handling);
        } else if (name == "Varnish:side") {
            add(ncsa_piece_kind::side);
        } else if (name == "Varnish:vxid") {
            add(ncsa_piece_kind::vxid);
        } else if (name.starts_with("VCL_Log:")) {
            add_watch(made_.log_keys, name.substr(8), "");
        } else if (name.starts_with("VSL:")) {
            take_record_watch(name.substr(4));
        } else if (name == "Varnish:default_format") {
            take_usual();
        } else {
            error_ = fmt::format("Unknown formatting extension: {}", name);
        }
    }

    /// "tag:prefix[field]"
    void take_record_watch(std::string_view text) {
        ncsa_record_watch watch;
        if (text.empty()) {
            error_ = "Missing tag in VSL:";
            return;
        }
        if (text.back() == ']' && !take_field(text, watch.field)) {
            return;
        }
        const std::size_t colon = text.find(':');
        switch (find_tag(text.substr(0, colon), watch.tag)) {
        case tag_verdict::found:
            break;
        case tag_verdict::ambiguous:
            error_ = fmt::format("Tag not unique: {}", text);
            return;
        default:
            error_ = fmt::format("Unknown log tag: {}", text);
            return;
        }
        if (tables::kind_of(watch.tag) != tables::log_tag_kind::plain && !json_) {
            error_ = fmt::format("Tag {} can contain control characters", tables::name_of(watch.tag));
            return;
        }
        if (colon != std::string_view::npos) {
            watch.key = std::string(text.substr(colon + 1)) + ':';
        }
        watch.part = made_.parts++;
        made_.watched_tags.add(watch.tag);
        made_.records.push_back(watch);
        add_part(watch.part, missing_text());
    }

    /// Takes "[field]" off the end.
    bool take_field(std::string_view& text, int& field) {
        constexpr long largest_field = 255;
        const std::size_t open = text.rfind('[');
        if (open == std::string_view::npos || open == 0 || open + 2 == text.size()) {
            error_ = fmt::format("Syntax error: VSL:{}", text);
            return false;
        }
        const std::string digits(text.substr(open + 1, text.size() - open - 2));
        char* end = nullptr;
        const long number = std::strtol(digits.c_str(), &end, 10);
        if (*end != '\0') {
            error_ = fmt::format("Syntax error: VSL:{}", text);
            return false;
        }
        if (number <= 0 || number > largest_field) {
            error_ = fmt::format("Syntax error. Field specifier must be between 1 and 255: {}", text);
            return false;
        }
        field = static_cast<int>(number);
        text = text.substr(0, open);
        return true;
    }

    std::string_view text_;
    bool json_;
    std::size_t at_ = 0;
    std::string literal_;
    std::string error_;
    ncsa_format made_;
};

} // namespace

std::optional<ncsa_format> ncsa_format::parse(std::string_view text, bool json, std::string& error) {
    return parser(text, json).run(error);
}

} // namespace clearcoat::logread
