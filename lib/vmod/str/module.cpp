// Module str: questions about strings and parts of them. Characters are bytes. Results refer into the argument where
// they can.
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

namespace clearcoat::vmod {

namespace {

using length = std::int64_t;

bool any_undefined(arguments args) {
    return undefined(args[0]) || undefined(args[1]);
}

vcl::value count(vcl::call&, arguments args) {
    return vcl::value::of_integer(undefined(args[0]) ? -1 : static_cast<length>(args[0].string().size()));
}

vcl::value startswith(vcl::call&, arguments args) {
    return vcl::value::of(!any_undefined(args) && args[0].string().starts_with(args[1].string()));
}

vcl::value endswith(vcl::call&, arguments args) {
    return vcl::value::of(!any_undefined(args) && args[0].string().ends_with(args[1].string()));
}

vcl::value contains(vcl::call&, arguments args) {
    return vcl::value::of(!any_undefined(args) && args[0].string().find(args[1].string()) != std::string_view::npos);
}

// take(STRING s, INT n, INT offset=0)
vcl::value take(vcl::call&, arguments args) {
    if (undefined(args[0])) {
        return no_value();
    }
    const auto size = static_cast<length>(args[0].string().size());
    constexpr length far = length(1) << 60; // farther than any string, and sums cannot overflow
    const length n = std::clamp(args[1].integer, -far, far);
    length begin = std::clamp(args[2].integer, -far, far);
    if (begin < 0 || (begin == 0 && n < 0)) {
        begin += size;
    }
    length end = begin + n;
    if (n < 0) {
        std::swap(begin, end);
    }
    begin = std::clamp<length>(begin, 0, size);
    end = std::clamp<length>(end, begin, size);
    const std::string_view part =
        args[0].string().substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
    return text_value(part.empty() ? std::string_view("") : part);
}

vcl::value reverse(vcl::call& c, arguments args) {
    if (undefined(args[0])) {
        return no_value();
    }
    const std::string_view text = args[0].string();
    auto* room = static_cast<char*>(c.workspace().allocate(text.size() + 1, 1));
    if (room == nullptr) {
        c.fail("str.reverse(): out of workspace");
        return no_value();
    }
    std::reverse_copy(text.begin(), text.end(), room);
    room[text.size()] = '\0';
    return text_value({room, text.size()});
}

/// Takes the first (or last) token off `text`; empty when there is none left.
std::string_view next_token(std::string_view& text, std::string_view separators, bool from_end) {
    using sv = std::string_view;
    if (from_end) {
        const std::size_t last = text.find_last_not_of(separators);
        text = text.substr(0, last == sv::npos ? 0 : last + 1);
        const std::size_t before = text.find_last_of(separators);
        const std::size_t begin = before == sv::npos ? 0 : before + 1;
        const sv token = text.substr(begin);
        text = text.substr(0, begin);
        return token;
    }
    const std::size_t begin = text.find_first_not_of(separators);
    text = begin == sv::npos ? sv() : text.substr(begin);
    const sv token = text.substr(0, text.find_first_of(separators));
    text.remove_prefix(token.size());
    return token;
}

// split(STRING s, INT n, STRING sep=" \t")
vcl::value split(vcl::call& c, arguments args) {
    std::string_view rest = args[0].string();
    const length n = args[1].integer;
    const std::string_view separators = args[2].string();
    if (rest.empty() || n == 0 || separators.empty()) {
        return no_value();
    }
    const bool from_end = n < 0;
    for (length left = from_end ? -std::max(n, -std::numeric_limits<length>::max()) : n; !rest.empty(); --left) {
        const std::string_view token = next_token(rest, separators, from_end);
        if (token.empty()) {
            break;
        }
        if (left == 1) {
            return workspace_text(c, token);
        }
    }
    return no_value();
}

// token_intersect(STRING str1, STRING str2, [STRING separators])
vcl::value token_intersect(vcl::call& c, arguments args) {
    if (any_undefined(args)) {
        return vcl::value::of(false);
    }
    const std::string_view separators = c.given(2) && !undefined(args[2]) ? args[2].string() : " ,";
    std::string_view ours = args[0].string();
    for (std::string_view one; !(one = next_token(ours, separators, false)).empty();) {
        std::string_view theirs = args[1].string();
        for (std::string_view other; !(other = next_token(theirs, separators, false)).empty();) {
            if (one == other) {
                return vcl::value::of(true);
            }
        }
    }
    return vcl::value::of(false);
}

constexpr vcl::function_row functions[] = {
    {"INT count(STRING s)", count},
    {"BOOL startswith(STRING s1, STRING s2)", startswith},
    {"BOOL endswith(STRING s1, STRING s2)", endswith},
    {"BOOL contains(STRING s1, STRING s2)", contains},
    {"STRING take(STRING s, INT n, INT offset=0)", take},
    {"STRING reverse(STRING s)", reverse},
    {"STRING split(STRING s, INT n, STRING sep=\" \t\")", split},
    {"BOOL token_intersect(STRING str1, STRING str2, [STRING separators])", token_intersect},
};

} // namespace

const vcl::module_row str_module{"str", "questions about strings, and parts of them", functions};

} // namespace clearcoat::vmod
