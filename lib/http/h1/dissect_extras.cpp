// What surrounds dissecting: the text of the log's record about a fault, and the host inside an absolute URL.
#include "base/ascii.hpp"
#include "http/h1/dissect.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace clearcoat::http::h1 {

namespace {

const char* template_of(fault why) noexcept {
    switch (why) {
    case fault::control_character:
        return "Header has ctrl char 0x{:02x}";
    case fault::bad_name_character:
        return "Illegal char 0x{:02x} in header name";
    case fault::line_too_long:
        return "Header too long: {}";
    case fault::leading_blank:
        return "1st header has white space: {}";
    case fault::empty_name:
        return "Missing header name: {}";
    case fault::no_colon:
        return "Header without ':' {}";
    case fault::too_many_fields:
        return "Too many headers: {}";
    default:
        return nullptr;
    }
}

} // namespace

std::string_view dissected::write_record(std::span<char> room) const noexcept {
    const char* format = template_of(why);
    if (format == nullptr) {
        return {};
    }
    bool names_byte = why == fault::control_character || why == fault::bad_name_character;
    auto written = names_byte ? fmt::format_to_n(room.data(), room.size(), fmt::runtime(format), byte)
                              : fmt::format_to_n(room.data(), room.size(), fmt::runtime(format), excerpt);
    return {room.data(), std::min(written.size, room.size())};
}

bool host_from_url(head& request, bool https_scheme) noexcept {
    std::string_view url = request.url();
    std::size_t host_at = 0;
    if (base::starts_with_nocase(url, "http://")) {
        host_at = 7;
    } else if (https_scheme && base::starts_with_nocase(url, "https://")) {
        host_at = 8;
    }
    std::size_t slash = host_at == 0 ? std::string_view::npos : url.find('/', host_at);
    if (slash == std::string_view::npos) {
        return true;
    }
    request.set_start_line_silently(request.method(), url.substr(slash), request.protocol(), request.version());
    return request.replace(field_id::host, url.substr(host_at, slash - host_at));
}

} // namespace clearcoat::http::h1
