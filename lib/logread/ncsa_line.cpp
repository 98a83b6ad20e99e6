#include "logread/ncsa_line.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace clearcoat::logread {
namespace {

/// Takes "KEY:" and the blanks behind off the text; false when it does not begin so.
bool strip_key(std::string_view& text, std::string_view key) noexcept {
    if (!base::starts_with_nocase(text, key)) {
        return false;
    }
    text.remove_prefix(key.size());
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    return true;
}

std::string_view trim(std::string_view text) noexcept {
    while (!text.empty() && base::is_space(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && base::is_space(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

/// The n-th word, from 1; empty when there are fewer.
std::string_view word_of(std::string_view text, int wanted) noexcept {
    std::size_t begin = 0;
    std::size_t end = 0;
    for (int seen = 0; seen < wanted; ++seen) {
        begin = end;
        while (begin < text.size() && base::is_space(text[begin])) {
            ++begin;
        }
        end = begin;
        while (end < text.size() && !base::is_space(text[end])) {
            ++end;
        }
    }
    return text.substr(begin, end - begin);
}

} // namespace

ncsa_printer::ncsa_printer(ncsa_format format)
    : format_(std::move(format)), parts_(format_.parts), dates_(format_.pieces.size()) {}

void ncsa_printer::print(const transaction& t, std::string& out) {
    if (t.type != transaction_type::req && t.type != transaction_type::bereq) {
        return;
    }
    if (!collect(t)) {
        return;
    }
    const std::size_t begin = out.size();
    for (std::size_t i = 0; i < format_.pieces.size(); ++i) {
        if (!print_piece(i, out)) {
            out.resize(begin);
            return;
        }
    }
    out += '\n';
}

/// False when the transaction gets no line.
bool ncsa_printer::collect(const transaction& t) {
    std::fill(parts_.begin(), parts_.end(), std::string_view());
    side_ = t.type == transaction_type::req ? "c" : "b";
    hit_or_miss_ = handling_ = "-";
    vxid_ = t.vxid;
    for (const record r : t.records) {
        const bool plain = tables::kind_of(r.tag()) == tables::log_tag_kind::plain;
        if (!plain && format_.how != quoting::json) {
            continue;
        }
        std::string_view text = r.bytes();
        while (plain && !text.empty() && text.back() == '\0') {
            text.remove_suffix(1);
        }
        const bool wanted = collect(r, text);
        if (format_.watched_tags.has(r.tag())) {
            collect_watched(r.tag(), text);
        }
        if (!wanted) {
            return false;
        }
    }
    return true;
}

bool ncsa_printer::collect(record r, std::string_view text) {
    switch (r.tag()) {
    case log_tag::HttpGarbage:
        return false;
    case log_tag::BereqURL:
    case log_tag::ReqURL:
        collect_url(text);
        break;
    case log_tag::Timestamp:
        collect_timestamp(text);
        break;
    case log_tag::BereqHeader:
    case log_tag::ReqHeader:
        collect_request_header(text);
        break;
    case log_tag::BerespHeader:
    case log_tag::RespHeader:
        collect_header(format_.response_headers, text, false);
        break;
    case log_tag::BereqUnset:
    case log_tag::ReqUnset:
        collect_header(format_.request_headers, text, true);
        break;
    case log_tag::BerespUnset:
    case log_tag::RespUnset:
        collect_header(format_.response_headers, text, true);
        break;
    case log_tag::VCL_call:
        collect_call(text);
        break;
    case log_tag::VCL_return:
        return collect_return(text);
    case log_tag::VCL_Log:
        for (const ncsa_watch& w : format_.log_keys) {
            if (text.starts_with(w.key)) {
                take_line(w.part, text.substr(w.key.size()), false);
            }
        }
        break;
    default:
        collect_plain(r.tag(), text);
        break;
    }
    return true;
}

/// Records that are, or whose fields are, parts.
void ncsa_printer::collect_plain(log_tag tag, std::string_view text) {
    const auto at = [](ncsa_part which) { return static_cast<unsigned>(which); };
    switch (tag) {
    case log_tag::PipeAcct:
        take_field(at(ncsa_part::received), text, 3, false);
        take_field(at(ncsa_part::sent), text, 4, false);
        break;
    case log_tag::BereqAcct:
    case log_tag::ReqAcct:
        take_field(at(ncsa_part::received), text, 3, false);
        take_field(at(ncsa_part::body_bytes), text, 5, false);
        take_field(at(ncsa_part::sent), text, 6, false);
        break;
    case log_tag::HitMiss:
        hit_or_miss_ = "miss";
        handling_ = "hitmiss";
        break;
    case log_tag::HitPass:
        hit_or_miss_ = "miss";
        handling_ = "hitpass";
        break;
    case log_tag::BackendOpen:
        take_field(at(ncsa_part::host), text, 3, true);
        break;
    case log_tag::ReqStart:
        take_field(at(ncsa_part::host), text, 1, false);
        break;
    case log_tag::BereqMethod:
    case log_tag::ReqMethod:
        take_line(at(ncsa_part::method), text, false);
        break;
    case log_tag::BereqProtocol:
    case log_tag::ReqProtocol:
        take_line(at(ncsa_part::protocol), text, false);
        break;
    case log_tag::BerespStatus:
    case log_tag::RespStatus:
        take_line(at(ncsa_part::status), text, true);
        break;
    default:
        break;
    }
}

void ncsa_printer::collect_header(const std::vector<ncsa_watch>& watches, std::string_view text, bool unset) {
    for (const ncsa_watch& w : watches) {
        std::string_view value = text;
        if (!(unset && w.choice == ncsa_choice::usual) && strip_key(value, w.key)) {
            take_line(w.part, value, w.choice != ncsa_choice::first);
        }
    }
}

void ncsa_printer::collect_url(std::string_view text) {
    const std::size_t mark = std::min(text.find('?'), text.size());
    take_line(static_cast<unsigned>(ncsa_part::path), text.substr(0, mark), false);
    take_line(static_cast<unsigned>(ncsa_part::parameters), text.substr(mark), false);
}

void ncsa_printer::collect_timestamp(std::string_view text) {
    struct event {
        std::string_view key;
        ncsa_part part;
        int field;
    };
    constexpr std::array<event, 7> events{{
        {"Start:", ncsa_part::start, 1},
        {"Resp:", ncsa_part::end, 1},
        {"PipeSess:", ncsa_part::end, 1},
        {"BerespBody:", ncsa_part::end, 1},
        {"Process:", ncsa_part::first_byte, 2},
        {"Pipe:", ncsa_part::first_byte, 2},
        {"Beresp:", ncsa_part::first_byte, 2},
    }};
    for (const event& e : events) {
        if (strip_key(text, e.key)) {
            return take_field(static_cast<unsigned>(e.part), text, e.field, false);
        }
    }
}

void ncsa_printer::collect_request_header(std::string_view text) {
    collect_header(format_.request_headers, text, false);
    if (strip_key(text, "Authorization:")) {
        if (strip_key(text, "basic ")) {
            take_line(static_cast<unsigned>(ncsa_part::authorization), text, false);
        }
    } else if (strip_key(text, "Host:")) {
        take_line(static_cast<unsigned>(ncsa_part::host_header), text, false);
    }
}

void ncsa_printer::collect_call(std::string_view method) {
    if (base::equal_nocase(method, "recv")) {
        hit_or_miss_ = handling_ = "-";
    } else if (base::equal_nocase(method, "hit")) {
        hit_or_miss_ = handling_ = "hit";
    } else if (base::equal_nocase(method, "miss")) {
        // HitMiss and HitPass tell why it is one.
        hit_or_miss_ = "miss";
        handling_ = handling_ == "hitmiss" ? handling_ : "miss";
    } else if (base::equal_nocase(method, "pass")) {
        hit_or_miss_ = "miss";
        handling_ = handling_ == "hitpass" ? handling_ : "pass";
    } else if (base::equal_nocase(method, "synth")) {
        hit_or_miss_ = "miss";
        handling_ = "synth";
    }
}

bool ncsa_printer::collect_return(std::string_view action) {
    if (base::equal_nocase(action, "pipe")) {
        hit_or_miss_ = "miss";
        handling_ = "pipe";
    }
    return !base::equal_nocase(action, "restart");
}

void ncsa_printer::collect_watched(log_tag tag, std::string_view text) {
    for (const ncsa_record_watch& w : format_.records) {
        std::string_view value = text;
        if (w.tag != tag || (!w.key.empty() && !strip_key(value, w.key))) {
            continue;
        }
        if (w.field == 0) {
            take_line(w.part, value, false);
        } else {
            take_field(w.part, value, w.field, false);
        }
    }
}

/// `again`: a later record replaces an earlier one.
void ncsa_printer::take_line(unsigned which, std::string_view text, bool again) {
    if (parts_[which].data() == nullptr || again) {
        parts_[which] = trim(text);
    }
}

void ncsa_printer::take_field(unsigned which, std::string_view text, int field, bool again) {
    if (parts_[which].data() != nullptr && !again) {
        return;
    }
    const std::string_view word = word_of(text, field);
    if (!word.empty()) {
        parts_[which] = word;
    }
}

} // namespace clearcoat::logread
