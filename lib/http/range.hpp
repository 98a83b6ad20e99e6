// Range requests (RFC 9110 §14) as the reference serves them: one byte range; and the check that a backend's partial
// answer is what was asked for.
#pragma once

#include "http/head.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace clearcoat::http {

struct byte_range {
    std::int64_t low = -1;  // -1: not given ("-500": the last 500)
    std::int64_t high = -1; // -1: not given ("500-": to the end); inclusive
    std::string_view error; // not empty: refused, in the words of the reference's RANGE_FAIL debug record
};

/// Reads the value of a Range field.
byte_range parse_range(std::string_view value) noexcept;

/// What to do with a range request.
struct range_decision {
    enum class action : std::uint8_t { whole, partial, unsatisfiable } what = action::whole;
    std::uint64_t low = 0;  // partial: the first byte
    std::uint64_t high = 0; // partial: the last byte
    std::string_view error; // unsatisfiable: why; logged as Debug "RANGE_FAIL …"
};

/// Decides for the value of a Range field and a body of `length` bytes, std::nullopt while that is unknown (then the
/// whole body is sent, unless the field itself is malformed). whole: answer 200. unsatisfiable: answer 416 with
/// "Content-Range: bytes */length" and no body.
range_decision decide_range(std::string_view range_value, std::optional<std::uint64_t> length) noexcept;

/// Whether If-Range allows the range: true without such a field. `response` is the head about to be sent.
bool if_range_allows(const head& request, const head& response) noexcept;

/// The value of Content-Range.
struct content_range {
    enum class state : std::uint8_t {
        absent, // no such field, or a unit other than bytes
        valid,
        bad
    } what = state::absent;
    std::int64_t low = -1; // -1: "bytes */123"
    std::int64_t high = -1;
    std::int64_t total = -1; // -1: "bytes 1-2/*"
};
/// DIFFERS: a total of "*" is accepted (RFC 9110 §14.4); the reference calls such a field invalid.
content_range parse_content_range(const head& h) noexcept;

/// Checks a backend's answer against the request that was sent. The text of the Error record when it does not fit (the
/// fetch fails then), written to `room` (100 bytes suffice) or constant; empty when all is well.
std::string_view check_partial_response(const head& request, const head& response, std::span<char> room) noexcept;

} // namespace clearcoat::http
