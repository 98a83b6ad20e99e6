// The status codes of management responses, and their framing on the wire (varnish-cli(7)).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace clearcoat::cli {

enum class status : std::uint16_t {
    syntax = 100,
    unknown = 101,
    unimplemented = 102,
    too_few = 104,
    too_many = 105,
    parameter = 106,
    auth = 107,
    ok = 200,
    truncated = 201,
    cannot = 300,
    communication = 400,
    close = 500
};

/// Bytes of the first line of a response, its end included.
inline constexpr std::size_t status_line_size = 13;

/// The whole response: "%-3d %-8d\n", the text, a newline.
std::string frame_response(status code, std::string_view text);

struct status_line {
    status code;
    std::size_t size; // of the text, without the newline behind it
};
/// Reads the first line (exactly status_line_size bytes); empty when it is none.
std::optional<status_line> parse_status_line(std::string_view line) noexcept;

} // namespace clearcoat::cli
