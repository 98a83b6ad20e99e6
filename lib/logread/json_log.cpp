#include "logread/json_log.hpp"

#include "base/ascii.hpp"
#include "logread/quote.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include <fmt/core.h>

namespace clearcoat::logread {
namespace {

std::string_view text_of(record r) noexcept {
    const std::string_view bytes = r.bytes();
    return bytes.substr(0, bytes.find('\0'));
}

/// The n-th word, from 1; empty when there are fewer.
std::string_view word_of(std::string_view text, int wanted) noexcept {
    for (int word = 1;; ++word) {
        while (!text.empty() && base::is_space(text.front())) {
            text.remove_prefix(1);
        }
        std::size_t size = 0;
        while (size < text.size() && !base::is_space(text[size])) {
            ++size;
        }
        if (word == wanted) {
            return text.substr(0, size);
        }
        text.remove_prefix(size);
    }
}

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

/// Writes members with the commas between them.
class object {
  public:
    explicit object(std::string& out, char open = '{') : out_(out), close_(open == '{' ? '}' : ']') { out_ += open; }
    void end() { out_ += close_; }

    void name(std::string_view key) {
        item();
        out_ += '"';
        out_ += key;
        out_ += "\":";
    }
    void item() {
        out_ += first_ ? "" : ",";
        first_ = false;
    }
    void text(std::string_view value) {
        out_ += '"';
        append_quoted(valid_utf8(value), quoting::json, out_);
        out_ += '"';
    }
    void text(std::string_view key, std::string_view value) {
        if (value.data() != nullptr) {
            name(key);
            text(value);
        }
    }
    /// A number where it is one, else a text.
    void number(std::string_view key, std::string_view value) {
        if (!is_number(value)) {
            return text(key, value);
        }
        name(key);
        out_ += value;
    }

  private:
    std::string& out_;
    char close_;
    bool first_ = true;
};

struct message {
    std::vector<std::string_view> headers;
    std::string_view method, url, protocol, status, reason, header_bytes, body_bytes;
};

/// What of a transaction has a place of its own.
struct story {
    message request;
    message response;
    std::string_view client, backend, session, vcl, storage, begin;
    std::string_view handling;
    std::vector<std::string_view> events, logs, links, errors;
    std::vector<record> others;
};

void drop_header(std::vector<std::string_view>& headers, std::string_view text) {
    std::erase(headers, text);
}

/// Records of requests and responses, on either side; false for others.
bool take_message_record(record r, std::string_view text, story& s) {
    switch (r.tag()) {
    case log_tag::ReqMethod:
    case log_tag::BereqMethod:
        s.request.method = text;
        return true;
    case log_tag::ReqURL:
    case log_tag::BereqURL:
        s.request.url = text;
        return true;
    case log_tag::ReqProtocol:
    case log_tag::BereqProtocol:
        s.request.protocol = text;
        return true;
    case log_tag::ReqHeader:
    case log_tag::BereqHeader:
        s.request.headers.push_back(text);
        return true;
    case log_tag::ReqUnset:
    case log_tag::BereqUnset:
        drop_header(s.request.headers, text);
        return true;
    case log_tag::RespProtocol:
    case log_tag::BerespProtocol:
        s.response.protocol = text;
        return true;
    case log_tag::RespStatus:
    case log_tag::BerespStatus:
        s.response.status = text;
        return true;
    case log_tag::RespReason:
    case log_tag::BerespReason:
        s.response.reason = text;
        return true;
    case log_tag::RespHeader:
    case log_tag::BerespHeader:
        s.response.headers.push_back(text);
        return true;
    case log_tag::RespUnset:
    case log_tag::BerespUnset:
        drop_header(s.response.headers, text);
        return true;
    default:
        return false;
    }
}

void take_account(std::string_view text, story& s) {
    s.request.header_bytes = word_of(text, 1);
    s.request.body_bytes = word_of(text, 2);
    s.response.header_bytes = word_of(text, 4);
    s.response.body_bytes = word_of(text, 5);
}

bool take_story_record(record r, std::string_view text, story& s) {
    switch (r.tag()) {
    case log_tag::Begin:
        s.begin = text;
        return true;
    case log_tag::End:
        return true;
    case log_tag::ReqStart:
        s.client = text;
        return true;
    case log_tag::SessOpen:
        s.session = text;
        return true;
    case log_tag::BackendOpen:
        s.backend = text;
        return true;
    case log_tag::ReqAcct:
    case log_tag::BereqAcct:
        take_account(text, s);
        return true;
    case log_tag::VCL_use:
        s.vcl = word_of(text, 1);
        return true;
    case log_tag::Storage:
        s.storage = text;
        return true;
    case log_tag::Timestamp:
        s.events.push_back(text);
        return true;
    case log_tag::VCL_Log:
        s.logs.push_back(text);
        return true;
    case log_tag::Link:
        s.links.push_back(text);
        return true;
    case log_tag::Error:
    case log_tag::FetchError:
    case log_tag::VCL_Error:
    case log_tag::SessError:
        s.errors.push_back(text);
        return true;
    default:
        return false;
    }
}

/// How VCL went: the last of these calls tells.
void take_call(record r, std::string_view text, story& s) {
    if (r.tag() == log_tag::VCL_call) {
        for (const std::string_view call : {"hit", "miss", "pass", "synth", "pipe"}) {
            if (base::equal_nocase(text, call)) {
                s.handling = call;
            }
        }
    }
}

story read(const transaction& t, const log_options& options) {
    story s;
    for (const record r : t.records) {
        if (!options.shows(r)) {
            continue;
        }
        const std::string_view text = text_of(r);
        take_call(r, text, s);
        if (!take_message_record(r, text, s) && !take_story_record(r, text, s)) {
            s.others.push_back(r);
        }
    }
    return s;
}

void print_message(object& whole, std::string_view key, const message& m, std::string& out) {
    const bool any =
        m.method.data() != nullptr || m.url.data() != nullptr || m.status.data() != nullptr || !m.headers.empty();
    if (!any) {
        return;
    }
    whole.name(key);
    object o(out);
    o.text("method", m.method);
    o.text("url", m.url);
    o.text("proto", m.protocol);
    o.number("status", m.status);
    o.text("reason", m.reason);
    o.name("headers");
    object list(out, '[');
    for (const std::string_view header : m.headers) {
        const std::size_t colon = std::min(header.find(':'), header.size());
        list.item();
        object one(out);
        one.text("name", header.substr(0, colon));
        one.text("value", base::trim_blanks(header.substr(std::min(colon + 1, header.size()))));
        one.end();
    }
    list.end();
    o.number("hdrBytes", m.header_bytes);
    o.number("bodyBytes", m.body_bytes);
    o.end();
}

/// Fields of a record by their names, numbers as such.
template<std::size_t Size>
void print_fields(object& whole, std::string_view key, std::string_view text,
                  const std::array<std::string_view, Size>& names, std::string& out) {
    if (text.data() == nullptr) {
        return;
    }
    whole.name(key);
    object o(out);
    for (std::size_t i = 0; i < Size; ++i) {
        const std::string_view word = word_of(text, static_cast<int>(i) + 1);
        if (!names[i].empty() && !word.empty()) {
            o.number(names[i], word);
        }
    }
    o.end();
}

void print_timeline(object& whole, const std::vector<std::string_view>& events, std::string& out) {
    if (events.empty()) {
        return;
    }
    whole.name("timeline");
    object list(out, '[');
    for (const std::string_view event : events) {
        list.item();
        object o(out);
        const std::string_view name = word_of(event, 1);
        o.text("name", name.substr(0, name.find(':')));
        o.number("timestamp", word_of(event, 2));
        o.number("sinceStart", word_of(event, 3));
        o.number("sinceLast", word_of(event, 4));
        o.end();
    }
    list.end();
}

void print_texts(object& whole, std::string_view key, const std::vector<std::string_view>& texts, std::string& out) {
    if (texts.empty()) {
        return;
    }
    whole.name(key);
    object list(out, '[');
    for (const std::string_view text : texts) {
        list.item();
        list.text(text);
    }
    list.end();
}

void print_links(object& whole, const std::vector<std::string_view>& links, std::string& out) {
    if (links.empty()) {
        return;
    }
    whole.name("links");
    object list(out, '[');
    for (const std::string_view link : links) {
        list.item();
        object o(out);
        o.text("type", word_of(link, 1));
        o.number("id", word_of(link, 2));
        o.text("reason", word_of(link, 3));
        o.end();
    }
    list.end();
}

void print_others(object& whole, const std::vector<record>& others, std::string& out) {
    if (others.empty()) {
        return;
    }
    whole.name("records");
    object list(out, '[');
    for (const record r : others) {
        list.item();
        object o(out);
        o.text("tag", tables::name_of(r.tag()));
        const bool text = tables::kind_of(r.tag()) == tables::log_tag_kind::plain;
        o.text("value", text ? text_of(r) : r.text());
        o.end();
    }
    list.end();
}

} // namespace

void print_json(const transaction& t, const log_options& options, std::string& out) {
    const story s = read(t, options);
    object o(out);
    o.name("id");
    fmt::format_to(std::back_inserter(out), "{}", t.vxid);
    o.text("type", name_of(t.type));
    o.text("side", t.type == transaction_type::bereq ? "backend" : "client");
    if (t.type != transaction_type::raw) {
        o.name("level");
        fmt::format_to(std::back_inserter(out), "{}", t.level);
        o.number("parent", word_of(s.begin, 2));
        o.text("reason", name_of(t.reason));
    }
    o.text("vcl", s.vcl);
    o.text("handling", s.handling);
    print_fields<3>(o, "client", s.client, {"rAddr", "rPort", "sock"}, out);
    print_fields<7>(o, "session", s.session, {"rAddr", "rPort", "sock", "lAddr", "lPort", "timestamp", "fd"}, out);
    print_fields<6>(o, "backend", s.backend, {"fd", "name", "rAddr", "rPort", "lAddr", "lPort"}, out);
    print_message(o, "req", s.request, out);
    print_message(o, "resp", s.response, out);
    o.text("storage", s.storage);
    print_timeline(o, s.events, out);
    print_texts(o, "logs", s.logs, out);
    print_texts(o, "errors", s.errors, out);
    print_links(o, s.links, out);
    print_others(o, s.others, out);
    o.end();
}

void print_json(group g, const log_options& options, std::string& out) {
    if (g.size() == 1) {
        print_json(g.front(), options, out);
    } else {
        object list(out, '[');
        for (const transaction& t : g) {
            list.item();
            print_json(t, options, out);
        }
        list.end();
    }
    out += '\n';
}

} // namespace clearcoat::logread
