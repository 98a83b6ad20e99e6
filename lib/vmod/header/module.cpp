// Module header: several fields of one name, such as Set-Cookie.
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include "base/ascii.hpp"
#include "tables/log_tags.hpp"
#include "vcl/vm/regsub.hpp"

#include <string>
#include <vector>

namespace clearcoat::vmod {

namespace {

using fate = vcl::host::field_fate;

bool matches(const vcl::call& c, const base::regex& re, std::string_view text) noexcept {
    return re.match(text, nullptr, c.task().regex_limits()) == base::regex_verdict::match;
}

/// The value of a line when its name is `name`; data() is nullptr otherwise.
std::string_view value_of(std::string_view line, std::string_view name) noexcept {
    if (line.size() <= name.size() || line[name.size()] != ':' ||
        !base::equal_nocase(line.substr(0, name.size()), name)) {
        return {};
    }
    return base::trim_blanks(line.substr(name.size() + 1));
}

bool no_header(const vcl::call& c, const vcl::value& v) noexcept {
    if (v.header == nullptr) {
        c.fail("header: there is no such header");
    }
    return v.header == nullptr;
}

// append(HEADER, STRANDS)
vcl::value append(vcl::call& c, arguments args) {
    if (no_header(c, args[0])) {
        return no_value();
    }
    const std::string_view text = c.join(args[1].strands);
    if (text.data() == nullptr) {
        c.task().log().write(log_tag::LostHeader, args[0].header->name);
    } else {
        c.task().add_header(args[0].header->where, args[0].header->name, text);
    }
    return no_value();
}

// copy(HEADER, HEADER)
vcl::value copy(vcl::call& c, arguments args) {
    if (no_header(c, args[0]) || no_header(c, args[1])) {
        return no_value();
    }
    const vcl::header_ref& from = *args[0].header;
    const vcl::header_ref& to = *args[1].header;
    std::vector<std::string_view> found; // adding while looking would find what was added
    c.task().each_header(from.where, [&](std::string_view name, std::string_view value) {
        if (base::equal_nocase(name, from.name)) {
            found.push_back(value);
        }
        return true;
    });
    for (const std::string_view value : found) {
        c.task().add_header(to.where, to.name, value);
    }
    return no_value();
}

// get(HEADER header, REGEX regex)
vcl::value get(vcl::call& c, arguments args) {
    if (no_header(c, args[0])) {
        return no_value();
    }
    vcl::value first = no_value();
    c.task().each_header(args[0].header->where, [&](std::string_view name, std::string_view value) {
        const bool wanted = base::equal_nocase(name, args[0].header->name) && !value.empty();
        if (!wanted || !matches(c, *args[1].regex, value)) {
            return true;
        }
        first = text_value(value);
        return false;
    });
    return first;
}

// remove(HEADER header, REGEX regex)
vcl::value remove(vcl::call& c, arguments args) {
    if (no_header(c, args[0])) {
        return no_value();
    }
    c.task().edit_headers(args[0].header->where, [&](std::string_view line, std::string&) {
        const std::string_view value = value_of(line, args[0].header->name);
        return !value.empty() && matches(c, *args[1].regex, value) ? fate::drop : fate::keep;
    });
    return no_value();
}

// regsub(HTTP, REGEX regex, STRING sub, BOOL all=0): on whole lines, name and all.
vcl::value regsub(vcl::call& c, arguments args) {
    const std::string_view by = undefined(args[2]) ? std::string_view("") : args[2].string();
    const char* failure = nullptr;
    c.task().edit_headers(args[0].http, [&](std::string_view line, std::string& replacement) {
        if (failure != nullptr || !matches(c, *args[1].regex, line)) {
            return fate::keep;
        }
        const vcl::regsub_result made =
            vcl::regsub(c.workspace(), *args[1].regex, line, by, args[3].boolean, c.task().regex_limits());
        failure = made.failure;
        if (failure != nullptr || made.text == line) {
            return fate::keep;
        }
        if (made.text.find(':') == std::string_view::npos) {
            failure = "header.regsub(): the result is no header";
            return fate::keep;
        }
        replacement = made.text;
        return fate::replace;
    });
    if (failure != nullptr) {
        c.fail(failure);
    }
    return no_value();
}

// dyn(HTTP, STRING)
vcl::value dyn(vcl::call& c, arguments args) {
    const std::string_view name = c.workspace().copy(args[1].string());
    vcl::value made = no_value();
    made.header = nullptr;
    if (name.empty()) {
        c.fail(name.data() == nullptr ? "Workspace overflow" : "header.dyn(): the name is empty");
        return made;
    }
    made.header = c.workspace().make<vcl::header_ref>(vcl::header_ref{args[0].http, name});
    return made;
}

constexpr vcl::function_row functions[] = {
    {"VOID append(HEADER, STRANDS)", append},
    {"VOID copy(HEADER, HEADER)", copy},
    {"STRING get(HEADER header, REGEX regex)", get},
    {"VOID remove(HEADER header, REGEX regex)", remove},
    {"VOID regsub(HTTP, REGEX regex, STRING sub, BOOL all=0)", regsub},
    {"HEADER dyn(HTTP, STRING)", dyn},
};

} // namespace

const vcl::module_row header_module{"header", "several headers of one name", functions};

} // namespace clearcoat::vmod
