#include "http/h1/format.hpp"

#include "http/status.hpp"

#include <cstring>
#include <string_view>

namespace clearcoat::http::h1 {

namespace {

constexpr std::size_t line_end_size = 2;

void put(char*& at, std::string_view text) noexcept {
    if (!text.empty()) {
        std::memcpy(at, text.data(), text.size());
        at += text.size();
    }
}

void put_line_end(char*& at) noexcept {
    *at++ = '\r';
    *at++ = '\n';
}

std::size_t fields_size(const head& h) noexcept {
    std::size_t size = line_end_size;
    for (const field& f : h.fields()) {
        size += f.size + line_end_size;
    }
    return size;
}

std::size_t line_size(std::string_view first, std::string_view second, std::string_view third) noexcept {
    return first.size() + second.size() + third.size() + 2 + line_end_size;
}

/// Fields of a packed head lie one behind the other with their line ends, so a run of them is one copy.
void put_fields(char*& at, const head& h) noexcept {
    const field* f = h.fields().data();
    const field* end = f + h.fields().size();
    while (f != end) {
        const char* run = f->line;
        const char* run_end = run + f->size;
        bool has_line_end = (f->flags & field::crlf_behind) != 0;
        while (++f != end && has_line_end && f->line == run_end + line_end_size) {
            run_end = f->line + f->size;
            has_line_end = (f->flags & field::crlf_behind) != 0;
        }
        put(at, {run, static_cast<std::size_t>(run_end - run)});
        put_line_end(at);
    }
    put_line_end(at);
}

std::size_t format(std::string_view first, std::string_view second, std::string_view third, const head& h,
                   std::span<char> room) noexcept {
    if (line_size(first, second, third) + fields_size(h) > room.size()) {
        return 0;
    }
    char* at = room.data();
    put(at, first);
    *at++ = ' ';
    put(at, second);
    *at++ = ' ';
    put(at, third);
    put_line_end(at);
    put_fields(at, h);
    return static_cast<std::size_t>(at - room.data());
}

} // namespace

std::size_t response_size(const head& h) noexcept {
    return line_size(h.protocol(), status_digits(h.status()), h.reason()) + fields_size(h);
}

std::size_t request_size(const head& h) noexcept {
    return line_size(h.method(), h.url(), h.protocol()) + fields_size(h);
}

std::size_t format_response(const head& h, std::span<char> room) noexcept {
    return format(h.protocol(), status_digits(h.status()), h.reason(), h, room);
}

std::size_t format_request(const head& h, std::span<char> room) noexcept {
    return format(h.method(), h.url(), h.protocol(), h, room);
}

std::size_t format_minimal_response(unsigned status, std::span<char> room) noexcept {
    constexpr std::string_view protocol = "HTTP/1.1";
    std::string_view reason = reason_phrase(status);
    if (line_size(protocol, status_digits(status), reason) + line_end_size > room.size()) {
        return 0;
    }
    char* at = room.data();
    put(at, protocol);
    *at++ = ' ';
    put(at, status_digits(status));
    *at++ = ' ';
    put(at, reason);
    put_line_end(at);
    put_line_end(at);
    return static_cast<std::size_t>(at - room.data());
}

} // namespace clearcoat::http::h1
