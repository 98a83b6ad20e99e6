// Writing heads as HTTP/1 sends them. The room is the caller's (a session's output buffer); nothing is allocated.
#pragma once

#include "http/head.hpp"

#include <cstddef>
#include <span>

namespace clearcoat::http::h1 {

/// The exact number of bytes format_response() and format_request() write.
std::size_t response_size(const head& h) noexcept;
std::size_t request_size(const head& h) noexcept;

/// "PROTOCOL STATUS REASON", the fields and the empty line; the three digits are those of status % 1000. The number of
/// bytes written, or 0 when `room` is too small (nothing useful is in it then).
std::size_t format_response(const head& h, std::span<char> room) noexcept;
/// "METHOD URL PROTOCOL", the fields and the empty line; same results.
std::size_t format_request(const head& h, std::span<char> room) noexcept;

/// The answer to a request that could not be parsed, or "100 Continue": start line and empty line only ("HTTP/1.1 400
/// Bad Request\r\n\r\n"). 0 when `room` is too small (80 bytes suffice).
std::size_t format_minimal_response(unsigned status, std::span<char> room) noexcept;

} // namespace clearcoat::http::h1
