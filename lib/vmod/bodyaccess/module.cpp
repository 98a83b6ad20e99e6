// Module bodyaccess: the body of the client's request, once std.cache_req_body() has it.
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

#include "tables/log_tags.hpp"

#include <string>

namespace clearcoat::vmod {

namespace {

/// Whether there is a body to look at; a record tells otherwise.
bool is_there(vcl::call& c) noexcept {
    if (!c.task().has_cached_body()) {
        c.task().log().write(log_tag::VCL_Error, "Unbuffered req.body");
        return false;
    }
    return true;
}

/// The same, and whether the call is in the one subroutine that `function` is for.
bool is_there_in(vcl::call& c, vcl::sub_id where, std::string_view function) noexcept {
    if (c.where() != where) {
        c.task().log().print(log_tag::VCL_Error, "{} can only be used in {}{{}}", function, vcl::name_of(where));
        return false;
    }
    return is_there(c);
}

std::string whole_body(vcl::call& c) {
    std::string body;
    c.task().each_request_body_part([&body](std::string_view part) {
        body += part;
        return true;
    });
    return body;
}

// hash_req_body()
vcl::value hash_req_body(vcl::call& c, arguments) {
    if (is_there_in(c, vcl::sub_id::hash, "hash_req_body")) {
        c.task().each_request_body_part([&c](std::string_view part) {
            c.task().hash_bytes(part);
            return true;
        });
    }
    return no_value();
}

// len_req_body()
vcl::value len_req_body(vcl::call& c, arguments) {
    if (!is_there_in(c, vcl::sub_id::recv, "len_req_body")) {
        return vcl::value::of_integer(-1);
    }
    std::int64_t size = 0;
    c.task().each_request_body_part([&size](std::string_view part) {
        size += static_cast<std::int64_t>(part.size());
        return true;
    });
    return vcl::value::of_integer(size);
}

// rematch_req_body(REGEX re)
vcl::value rematch_req_body(vcl::call& c, arguments args) {
    if (!is_there_in(c, vcl::sub_id::recv, "rematch_req_body")) {
        return vcl::value::of_integer(-1);
    }
    switch (args[0].regex->match(whole_body(c), nullptr, c.task().regex_limits())) {
    case base::regex_verdict::match:
        return vcl::value::of_integer(1);
    case base::regex_verdict::no_match:
        return vcl::value::of_integer(0);
    case base::regex_verdict::error:
        break;
    }
    c.task().log().write(log_tag::VCL_Error, "bodyaccess: the match was given up (limits)");
    return vcl::value::of_integer(-1);
}

// log_req_body(STRING prefix, INT length)
vcl::value log_req_body(vcl::call& c, arguments args) {
    if (!is_there(c)) {
        return no_value();
    }
    const std::string prefix(args[0].string());
    const std::size_t most = args[1].integer > 0 ? static_cast<std::size_t>(args[1].integer) : std::string::npos;
    c.task().each_request_body_part([&](std::string_view part) {
        while (!part.empty()) {
            const std::string_view piece = part.substr(0, most);
            c.task().log().write(log_tag::Debug, prefix + std::string(piece));
            part.remove_prefix(piece.size());
        }
        return true;
    });
    return no_value();
}

constexpr vcl::function_row functions[] = {
    {"INT rematch_req_body(REGEX re)", rematch_req_body},
    {"VOID hash_req_body()", hash_req_body},
    {"INT len_req_body()", len_req_body},
    {"VOID log_req_body(STRING prefix, INT length)", log_req_body},
};

} // namespace

const vcl::module_row bodyaccess_module{"bodyaccess", "the body of the client's request", functions};

} // namespace clearcoat::vmod
