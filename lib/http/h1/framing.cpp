#include "http/h1/framing.hpp"

#include "base/ascii.hpp"
#include "http/tokens.hpp"

#include <cstddef>

namespace clearcoat::http::h1 {

namespace {

constexpr std::uint64_t largest_length = INT64_MAX;

bool is_number_end(std::string_view rest) noexcept {
    for (char c : rest) {
        if (!base::is_blank(c)) {
            return false;
        }
    }
    return true;
}

content_length parse_length(std::string_view value) noexcept {
    constexpr content_length bad{content_length::state::bad, 0};
    std::uint64_t length = 0;
    std::size_t at = 0;
    for (; at < value.size() && base::is_digit(value[at]); ++at) {
        auto digit = static_cast<std::uint64_t>(value[at] - '0');
        if (length > (largest_length - digit) / 10) {
            return bad;
        }
        length = length * 10 + digit;
    }
    if (at == 0 || !is_number_end(value.substr(at))) {
        return bad;
    }
    return {content_length::state::valid, length};
}

/// What length and coding say by themselves; eof when they say nothing.
framing framing_of_fields(const head& h) noexcept {
    content_length length = content_length_of(h);
    if (length.what == content_length::state::bad) {
        return {body_kind::error, 0};
    }
    std::string_view coding = h.get(field_id::transfer_encoding);
    if (coding.data() != nullptr) {
        bool usable = base::equal_nocase(coding, "chunked") && length.what == content_length::state::absent &&
                      h.count(field_id::transfer_encoding) == 1;
        return {usable ? body_kind::chunked : body_kind::error, 0};
    }
    if (length.what == content_length::state::valid) {
        return {length.value == 0 ? body_kind::none : body_kind::length, length.value};
    }
    return {body_kind::eof, 0};
}

bool lengths_differ(const head& h) noexcept {
    std::string_view first;
    for (const field& f : h.fields()) {
        if (f.id == field_id::content_length) {
            if (first.data() == nullptr) {
                first = f.value();
            } else if (f.value() != first) {
                return true;
            }
        }
    }
    return false;
}

} // namespace

std::string_view name_of(body_kind kind) noexcept {
    static constexpr std::string_view names[] = {"none", "length", "chunked", "eof", "error"};
    return names[static_cast<std::size_t>(kind)];
}

content_length content_length_of(const head& h) noexcept {
    std::string_view value = h.get(field_id::content_length);
    return value.data() == nullptr ? content_length{} : parse_length(value);
}

framing framing_of_request(const head& request) noexcept {
    framing f = framing_of_fields(request);
    if (f.kind == body_kind::eof) {
        bool hopeless = request.version() != 11 && !request.is(field_id::connection, "keep-alive") &&
                        (request.method() == "POST" || request.method() == "PUT");
        f.kind = hopeless ? body_kind::error : body_kind::none;
    }
    if (f.kind != body_kind::none && request.method() == "HEAD") {
        f.kind = body_kind::error;
    }
    return f;
}

framing framing_of_response(const head& response) noexcept {
    framing f = framing_of_fields(response);
    if (f.kind == body_kind::eof && response.is(field_id::connection, "keep-alive")) {
        f.kind = body_kind::none;
    }
    if (lengths_differ(response)) {
        f.kind = body_kind::error;
    }
    return f;
}

framing framing_of_response(const head& response, std::string_view request_method) noexcept {
    if (request_method == "HEAD") {
        return {};
    }
    if (response.status() < 200) {
        return {body_kind::error, 0};
    }
    if (response.status() == 304) {
        return {};
    }
    framing f = framing_of_response(response);
    if (response.status() == 204) {
        bool announces = response.has(field_id::transfer_encoding) ||
                         (response.has(field_id::content_length) && f.kind != body_kind::none);
        return {announces ? body_kind::error : body_kind::none, 0};
    }
    return f;
}

std::string_view repeated_field_fault(const head& request) noexcept {
    unsigned hosts = 0;
    unsigned lengths = 0;
    for (const field& f : request.fields()) {
        hosts += f.id == field_id::host ? 1u : 0u;
        lengths += f.id == field_id::content_length ? 1u : 0u;
    }
    if (hosts > 1) {
        return "Multiple Host: headers";
    }
    return lengths > 1 ? "Multiple Content-Length: headers" : std::string_view();
}

persistence apply_connection(head& h) noexcept {
    persistence result = h.version() == 10 ? persistence::http10 : persistence::keep;
    if (!h.has(field_id::connection)) {
        return result;
    }
    h.collect(field_id::connection);
    std::string_view rest = h.get(field_id::connection);
    for (;;) {
        std::string_view element = next_element(rest, ",");
        if (element.data() == nullptr) {
            return result;
        }
        if (base::equal_nocase(element, "close")) {
            result = persistence::close;
        } else if (base::equal_nocase(element, "keep-alive")) {
            result = persistence::keep;
        }
        field_name name(element);
        if (may_not_be_named_by_connection(name.id)) {
            return persistence::bad;
        }
        h.mark_hop_by_hop(name);
    }
}

} // namespace clearcoat::http::h1
