// std.querysort(): the parameters of a URL in an order that does not depend on the client. Compared byte by byte up to
// the shorter one's end, as the reference does; equal ones keep their order. Empty parameters go.
#include "vmod/std/functions.hpp"

#include <algorithm>
#include <cstring>

namespace clearcoat::vmod::standard {

namespace {

bool sorts_before(std::string_view a, std::string_view b) noexcept {
    const std::size_t common = std::min(a.size(), b.size());
    for (std::size_t i = 0; i < common; ++i) {
        if (a[i] != b[i]) {
            return a[i] < b[i];
        }
    }
    return false;
}

/// Cuts at '&'; the number of parts that are not empty.
std::size_t cut(std::string_view query, std::span<std::string_view> parts) noexcept {
    std::size_t count = 0;
    while (!query.empty()) {
        const std::string_view part = query.substr(0, query.find('&'));
        if (!part.empty()) {
            parts[count++] = part;
        }
        query.remove_prefix(std::min(query.size(), part.size() + 1));
    }
    return count;
}

/// Insertion sort: stable, without memory of its own; queries are short, and the long ones of an attacker are merged.
void sort(std::span<std::string_view> parts) {
    constexpr std::size_t short_query = 32;
    if (parts.size() > short_query) {
        std::stable_sort(parts.begin(), parts.end(), sorts_before);
        return;
    }
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::string_view moved = parts[i];
        std::size_t to = i;
        for (; to > 0 && sorts_before(moved, parts[to - 1]); --to) {
            parts[to] = parts[to - 1];
        }
        parts[to] = moved;
    }
}

vcl::value joined(vcl::call& c, std::string_view head, std::span<const std::string_view> parts, std::size_t limit) {
    auto* room = static_cast<char*>(c.workspace().allocate(limit + 1, 1));
    if (room == nullptr) {
        return no_value();
    }
    char* to = room + head.copy(room, head.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) {
            *to++ = '&';
        }
        to += parts[i].copy(to, parts[i].size());
    }
    *to = '\0';
    return text_value({room, static_cast<std::size_t>(to - room)});
}

} // namespace

// querysort(STRING)
vcl::value querysort(vcl::call& c, arguments args) {
    const std::string_view url = args[0].string();
    const std::size_t mark = url.find('?');
    if (undefined(args[0]) || mark == std::string_view::npos || url.find('&', mark) == std::string_view::npos) {
        return args[0];
    }
    const std::string_view query = url.substr(mark + 1);
    const auto most = static_cast<std::size_t>(std::count(query.begin(), query.end(), '&')) + 1;
    const std::span<std::string_view> room = c.workspace().make_array<std::string_view>(most);
    if (room.empty()) {
        return args[0];
    }
    const std::span<std::string_view> parts = room.first(cut(query, room));
    sort(parts);
    const vcl::value result = joined(c, url.substr(0, mark + 1), parts, url.size());
    return undefined(result) ? args[0] : result;
}

} // namespace clearcoat::vmod::standard
