#include "http/vary.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace clearcoat::http {

namespace {

// A specification is a row of entries: two bytes with the value's size (big end first; all ones: the request had no
// such field), the name's size, the name's number, the name, the value.
constexpr std::size_t entry_size = 4;
constexpr std::size_t longest_name = 127;
constexpr std::size_t absent = 0xffff;
constexpr std::size_t longest_value = absent - 1;

std::string_view trim_end(std::string_view text) noexcept {
    while (!text.empty() && base::is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

/// Calls visit(name, value) for each name of a Vary field; the error, or an empty text.
template<class F>
std::string_view each_selector(std::string_view vary, const head& request, F visit) noexcept {
    std::size_t at = 0;
    while (at < vary.size()) {
        if (base::is_blank(vary[at]) || vary[at] == ',') {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < vary.size() && !base::is_blank(vary[end]) && vary[end] != ',') {
            ++end;
        }
        std::string_view name = vary.substr(at, end - at);
        if (name.size() > longest_name) {
            return "Vary header name length exceeded";
        }
        std::string_view value = trim_end(request.get(name));
        if (value.size() > longest_value) {
            return "Vary header maximum length exceeded";
        }
        visit(name, value);
        for (at = end; at < vary.size() && base::is_blank(vary[at]);) {
            ++at;
        }
        if (at < vary.size() && vary[at] != ',') {
            return "Malformed Vary header";
        }
    }
    return {};
}

char* put_entry(char* at, std::string_view name, std::string_view value) noexcept {
    std::size_t size = value.data() == nullptr ? absent : value.size();
    *at++ = static_cast<char>(size >> 8);
    *at++ = static_cast<char>(size & 0xff);
    *at++ = static_cast<char>(name.size());
    *at++ = static_cast<char>(find_field_id(name));
    at += name.copy(at, name.size());
    return at + value.copy(at, value.size());
}

struct selector {
    std::string_view name;
    field_id id;
    std::string_view value; // data() is nullptr when the request had no such field
};

selector take_entry(std::string_view& spec) noexcept {
    auto size =
        static_cast<std::size_t>(static_cast<unsigned char>(spec[0])) << 8 | static_cast<unsigned char>(spec[1]);
    auto name_size = static_cast<std::size_t>(static_cast<unsigned char>(spec[2]));
    selector s{spec.substr(entry_size, name_size), static_cast<field_id>(spec[3]), {}};
    if (size != absent) {
        s.value = spec.substr(entry_size + name_size, size);
    }
    spec.remove_prefix(entry_size + name_size + s.value.size());
    return s;
}

} // namespace

vary_built build_vary(const head& response, const head& request, base::arena& memory) noexcept {
    std::string_view vary = response.get(field_id::vary);
    if (vary.data() == nullptr) {
        return {};
    }
    std::size_t size = 0;
    std::string_view error = each_selector(vary, request, [&size](std::string_view name, std::string_view value) {
        size += entry_size + name.size() + value.size();
    });
    if (!error.empty() || size == 0) {
        return {{}, error};
    }
    auto* spec = static_cast<char*>(memory.allocate(size, 1));
    if (spec == nullptr) {
        return {{}, "out of workspace"};
    }
    char* at = spec;
    each_selector(vary, request,
                  [&at](std::string_view name, std::string_view value) { at = put_entry(at, name, value); });
    return {{spec, size}, {}};
}

std::string_view refill_vary(std::string_view spec, const head& request, base::arena& memory) noexcept {
    std::size_t size = 0;
    for (std::string_view rest = spec; !rest.empty();) {
        const std::string_view name = take_entry(rest).name;
        size += entry_size + name.size() + std::min(trim_end(request.get(name)).size(), longest_value);
    }
    auto* refilled = static_cast<char*>(memory.allocate(size, 1));
    if (refilled == nullptr) {
        return {};
    }
    char* at = refilled;
    for (std::string_view rest = spec; !rest.empty();) {
        const std::string_view name = take_entry(rest).name;
        at = put_entry(at, name, trim_end(request.get(name)).substr(0, longest_value));
    }
    return {refilled, size};
}

bool vary_matches(std::string_view spec, const head& request, bool gzip_support) noexcept {
    while (!spec.empty()) {
        selector s = take_entry(spec);
        if (gzip_support && s.id == field_id::accept_encoding) {
            continue;
        }
        const field* f = s.id != field_id::other ? request.find(s.id) : request.find(field_name{s.name});
        bool both_absent = f == nullptr && s.value.data() == nullptr;
        bool equal = f != nullptr && s.value.data() != nullptr && trim_end(f->value()) == s.value;
        if (!both_absent && !equal) {
            return false;
        }
    }
    return true;
}

} // namespace clearcoat::http
