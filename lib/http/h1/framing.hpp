// How long a message's body is and how it is delimited (RFC 9112 §6.3, as strict as the reference), and whether its
// connection stays open. Pure functions of heads.
#pragma once

#include "http/head.hpp"

#include <cstdint>
#include <string_view>

namespace clearcoat::http::h1 {

enum class body_kind : std::uint8_t { none, length, chunked, eof, error };

/// "none", "length", "chunked", "eof", "error", as Fetch_Body and VCL print them.
std::string_view name_of(body_kind kind) noexcept;

struct framing {
    body_kind kind = body_kind::none;
    std::uint64_t length = 0; // for body_kind::length; never 0 there

    bool ok() const noexcept { return kind != body_kind::error; }
};

/// Of a request, called right after dissecting. error (answer 400, close, log HttpGarbage): a Content-Length that is no
/// number, a Transfer-Encoding other than chunked, or both fields; HTTP/1.0 POST or PUT without a length; HEAD with a
/// body. Repeated fields are repeated_field_fault()'s.
framing framing_of_request(const head& request) noexcept;

/// Of a response as it stands in the head: what the reference calls body_status before it looks at the method. error:
/// as above (the fetch fails with "Body cannot be fetched").
/// DIFFERS: several Content-Length fields with different values are an error; the reference takes the first.
framing framing_of_response(const head& response) noexcept;

/// The whole decision for a fetch: none for HEAD and 304 whatever the fields say; none for 204, but error when it
/// announces a body; error for 1xx; otherwise framing_of_response().
framing framing_of_response(const head& response, std::string_view request_method) noexcept;

/// The check the reference makes after it has logged a request's head: repeated Host or Content-Length. The text of the
/// BogoHeader record ("Multiple Host: headers"); the answer is a minimal 400. Empty when all is well.
std::string_view repeated_field_fault(const head& request) noexcept;

/// The value of Content-Length.
struct content_length {
    enum class state : std::uint8_t { absent, valid, bad } what = state::absent;
    std::uint64_t value = 0;
};
content_length content_length_of(const head& h) noexcept;

/// What Connection and the version say about the connection after this message.
enum class persistence : std::uint8_t {
    keep,   // the reference's SC_NULL
    http10, // HTTP/1.0 without keep-alive: SC_REQ_HTTP10 (the reference says so for responses too)
    close,  // "close": SC_REQ_CLOSE or SC_RESP_CLOSE
    bad     // names a field that must not be removed ("Connection: Host"): SC_RX_BAD, answer 400
};

/// Collects the Connection fields into one, marks the fields it names as hop-by-hop, and tells what it means.
persistence apply_connection(head& h) noexcept;

} // namespace clearcoat::http::h1
