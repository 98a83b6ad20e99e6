#include "logread/json_log.hpp"

#include "base/ascii.hpp"
#include "logread/json_story.hpp"
#include "logread/json_writer.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include <fmt/core.h>

namespace clearcoat::logread {
namespace {

void print_message(json_writer& whole, std::string_view key, const story_message& m, std::string& out) {
    const bool any =
        m.method.data() != nullptr || m.url.data() != nullptr || m.status.data() != nullptr || !m.headers.empty();
    if (!any) {
        return;
    }
    whole.name(key);
    json_writer o(out);
    o.text("method", m.method);
    o.text("url", m.url);
    o.text("proto", m.protocol);
    o.number("status", m.status);
    o.text("reason", m.reason);
    o.name("headers");
    json_writer list(out, '[');
    for (const std::string_view header : m.headers) {
        const std::size_t colon = std::min(header.find(':'), header.size());
        list.item();
        json_writer one(out);
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
void print_fields(json_writer& whole, std::string_view key, std::string_view text,
                  const std::array<std::string_view, Size>& names, std::string& out) {
    if (text.data() == nullptr) {
        return;
    }
    whole.name(key);
    json_writer o(out);
    for (std::size_t i = 0; i < Size; ++i) {
        const std::string_view word = word_of(text, static_cast<int>(i) + 1);
        if (!names[i].empty() && !word.empty()) {
            o.number(names[i], word);
        }
    }
    o.end();
}

void print_timeline(json_writer& whole, const std::vector<std::string_view>& events, std::string& out) {
    if (events.empty()) {
        return;
    }
    whole.name("timeline");
    json_writer list(out, '[');
    for (const std::string_view event : events) {
        list.item();
        json_writer o(out);
        const std::string_view name = word_of(event, 1);
        o.text("name", name.substr(0, name.find(':')));
        o.number("timestamp", word_of(event, 2));
        o.number("sinceStart", word_of(event, 3));
        o.number("sinceLast", word_of(event, 4));
        o.end();
    }
    list.end();
}

void print_texts(json_writer& whole, std::string_view key, const std::vector<std::string_view>& texts,
                 std::string& out) {
    if (texts.empty()) {
        return;
    }
    whole.name(key);
    json_writer list(out, '[');
    for (const std::string_view text : texts) {
        list.item();
        list.text(text);
    }
    list.end();
}

void print_links(json_writer& whole, const std::vector<std::string_view>& links, std::string& out) {
    if (links.empty()) {
        return;
    }
    whole.name("links");
    json_writer list(out, '[');
    for (const std::string_view link : links) {
        list.item();
        json_writer o(out);
        o.text("type", word_of(link, 1));
        o.number("id", word_of(link, 2));
        o.text("reason", word_of(link, 3));
        o.end();
    }
    list.end();
}

void print_others(json_writer& whole, const std::vector<record>& others, std::string& out) {
    if (others.empty()) {
        return;
    }
    whole.name("records");
    json_writer list(out, '[');
    for (const record r : others) {
        list.item();
        json_writer o(out);
        o.text("tag", tables::name_of(r.tag()));
        const bool text = tables::kind_of(r.tag()) == tables::log_tag_kind::plain;
        o.text("value", text ? text_of(r) : r.text());
        o.end();
    }
    list.end();
}

} // namespace

void print_json(const transaction& t, const log_options& options, std::string& out) {
    const story s = read_story(t, options);
    json_writer o(out);
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
        json_writer list(out, '[');
        for (const transaction& t : g) {
            list.item();
            print_json(t, options, out);
        }
        list.end();
    }
    out += '\n';
}

} // namespace clearcoat::logread
