#include "site.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>

#include <fmt/core.h>

namespace demo {

namespace {

constexpr std::size_t largest_body = 256u << 20;
constexpr std::size_t most_paths = 1000; // that are counted one by one

std::string layout(std::string_view title, std::string_view text) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>{0}</title></head>\n<body>\n<h1>{0}</h1>\n{1}\n"
        "<p><a href=\"/\">start</a></p>\n</body>\n</html>\n",
        title, text);
}

page html(std::string_view title, std::string_view text) {
    page made;
    made.body = layout(title, text);
    return made;
}

page start(const request&) {
    return html("Demo origin", "<p><img src=\"/picture.svg\" alt=\"a coat of paint\" width=\"120\" height=\"60\"></p>\n"
                               "<ul>\n<li><a href=\"/about\">about</a></li>\n<li><a href=\"/news\">news</a></li>\n"
                               "<li><a href=\"/data.json\">some JSON</a></li>\n"
                               "<li><a href=\"/slow\">a page that takes 217 ms</a></li>\n"
                               "<li><a href=\"/cookie\">a page with a cookie</a></li>\n"
                               "<li><a href=\"/error\">a page that fails</a></li>\n"
                               "<li><a href=\"/bytes/10000\">ten thousand bytes</a></li>\n"
                               "<li><a href=\"/stats\">what was asked for so far</a></li>\n</ul>");
}

page about(const request&) {
    return html("About",
                "<p>A small web server to put an accelerator in front of. Add <code>?cache-control=VALUE</code> "
                "to any address to get that Cache-Control header. See the <a href=\"/news\">news</a>.</p>");
}

page news(const request&) {
    return html("News", "<p>Nothing is new, and for two minutes nothing will be. More <a href=\"/about\">about</a> "
                        "this.</p>");
}

page picture(const request&) {
    page made;
    made.type = "image/svg+xml";
    made.cache_control = "public, max-age=3600";
    made.body =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 120 60\"><rect width=\"120\" height=\"60\" rx=\"8\" "
        "fill=\"#356\"/><path d=\"M8 40 Q40 4 60 30 T112 18\" stroke=\"#fff\" stroke-width=\"4\" "
        "fill=\"none\"/></svg>\n";
    return made;
}

page data(const request&) {
    page made;
    made.type = "application/json";
    made.body = "{\"name\": \"demo-origin\", \"colours\": [\"red\", \"green\", \"blue\"], \"coats\": 3}\n";
    return made;
}

page slow(const request&) {
    page made = html("Slow", "<p>This page took 217 ms to make.</p>");
    made.delay = std::chrono::milliseconds(217);
    return made;
}

page cookie(const request& r) {
    page made = html("Cookie", r.cookie.empty() ? "<p>You came without a cookie; take one.</p>"
                                                : "<p>You came with a cookie.</p>");
    made.cache_control = "private, no-store";
    made.set_cookie = "visitor=1; Path=/; HttpOnly; SameSite=Lax";
    return made;
}

page error(const request&) {
    page made = html("It failed", "<p>This page always fails.</p>");
    made.status = 500;
    made.cache_control = "no-store";
    return made;
}

page echo(const request& r) {
    page made;
    made.type = "application/octet-stream";
    made.cache_control = "no-store";
    made.body = r.body;
    return made;
}

page not_found(const request&) {
    page made = html("Not found", "<p>There is no such page.</p>");
    made.status = 404;
    made.cache_control = "public, max-age=5";
    return made;
}

/// /bytes/N: N bytes of text that repeats every 64 bytes.
page bytes(std::string_view number) {
    std::size_t size = 0;
    const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), size);
    page made;
    made.type = "text/plain";
    if (fault != std::errc() || end != number.data() + number.size() || size > largest_body) {
        made.status = 400;
        made.body = fmt::format("/bytes/N: N is a number up to {}\n", largest_body);
        return made;
    }
    constexpr std::string_view line = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ.\n";
    made.body.reserve(size);
    while (made.body.size() < size) {
        made.body.append(line.substr(0, std::min(line.size(), size - made.body.size())));
    }
    return made;
}

int digit(char c) noexcept {
    const std::size_t at = std::string_view("0123456789abcdef").find(static_cast<char>(c | 0x20));
    return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

/// Decodes %XX and +; control characters become blanks, so that no header can be smuggled into the response.
std::string decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char c = text[i] == '+' ? ' ' : text[i];
        if (c == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0) {
            c = static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
            i += 2;
        }
        out += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    }
    return out;
}

std::optional<std::string> parameter(std::string_view query, std::string_view name) {
    while (!query.empty()) {
        const std::string_view pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(pair.size() + 1, query.size()));
        if (pair.starts_with(name) && pair.substr(name.size()).starts_with('=')) {
            return decoded(pair.substr(name.size() + 1));
        }
    }
    return std::nullopt;
}

using maker = page (*)(const request&);
const std::map<std::string_view, maker> routes = {
    {"/", start},         {"/about", about}, {"/news", news},   {"/picture.svg", picture},
    {"/data.json", data}, {"/slow", slow},   {"/error", error}, {"/cookie", cookie},
    {"/echo", echo}};

page make(std::string_view path, const request& r) {
    constexpr std::string_view sized = "/bytes/";
    if (path.starts_with(sized)) {
        return bytes(path.substr(sized.size()));
    }
    const auto route = routes.find(path);
    return route == routes.end() ? not_found(r) : route->second(r);
}

} // namespace

page site::answer(const request& r) {
    const std::size_t mark = r.target.find('?');
    const std::string_view path = r.target.substr(0, mark);
    const std::string_view query = mark == r.target.npos ? std::string_view() : r.target.substr(mark + 1);
    {
        std::lock_guard lock(mutex_);
        const auto known = requests_.find(path);
        if (known != requests_.end()) {
            ++known->second;
        } else {
            ++requests_[requests_.size() < most_paths ? std::string(path) : "(others)"];
        }
    }
    page made = path == "/stats" ? stats() : make(path, r);
    if (auto wanted = parameter(query, "cache-control")) {
        made.cache_control = *wanted;
    }
    if (made.status == 200 && made.set_cookie.empty() && (r.method == "GET" || r.method == "HEAD")) {
        made.etag = fmt::format("\"{:x}\"", std::hash<std::string>()(made.body));
        if (r.if_none_match == made.etag) {
            made.status = 304;
            made.body.clear();
        }
    }
    return made;
}

page site::stats() {
    page made;
    made.type = "application/json";
    made.cache_control = "no-store";
    std::lock_guard lock(mutex_);
    std::uint64_t total = 0;
    std::string list;
    for (const auto& [path, count] : requests_) {
        total += count;
        list += list.empty() ? "" : ", ";
        list += '"';
        for (const char c : path) {
            if (c == '"' || c == '\\') {
                list += '\\';
            }
            list += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
        }
        list += fmt::format("\": {}", count);
    }
    made.body = fmt::format("{{\"requests\": {}, \"paths\": {{{}}}}}\n", total, list);
    return made;
}

} // namespace demo
