// Heads of HTTP/1 messages: when one is complete, and what it says. One pass, views into the receive buffer, no memory
// but the head's field slots. The rules of acceptance are the reference's: bare LF ends a line, blank lines may come
// first, several blanks may separate the words of the start line, folded lines are unfolded in place. No I/O.
#pragma once

#include "http/head.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace clearcoat::http::h1 {

/// What the bytes received so far are.
enum class scan_state : std::uint8_t {
    empty,     // nothing but blanks and line ends: the peer has not begun
    more,      // begun, not complete
    complete,  // a whole head: size() bytes
    h2_preface // the client connection preface of HTTP/2 (24 bytes, size() includes blanks before it)
};

/// Finds the end of a head while it arrives, looking at each byte once. Limits (http_req_size, http_resp_size) are the
/// caller's: when state is `more` and the buffer holds that many bytes, the head is too long.
class head_scanner {
  public:
    /// `received` is all that has arrived; it begins at the same place of the stream on every call until reset().
    scan_state scan(std::string_view received) noexcept;
    /// The bytes up to and with the empty line; what follows is body or the next message.
    std::size_t size() const noexcept { return size_; }
    /// Blanks and line ends before the head.
    std::size_t leading() const noexcept { return leading_; }
    void reset() noexcept { *this = head_scanner(); }

  private:
    bool find_beginning(std::string_view received) noexcept;
    scan_state find_end(std::string_view received) noexcept;

    std::size_t leading_ = 0;
    std::size_t seen_ = 0; // bytes before this hold no line end that matters
    std::size_t size_ = 0;
    bool begun_ = false;
};

/// Why a head is refused.
enum class fault : std::uint8_t {
    none,
    // The start line. The log gets HttpGarbage with the whole head and nothing else.
    bad_start_line, // a control character, or no second word
    bad_protocol,   // requests: not HTTP/1.0 or 1.1; responses: older than 1.0 or no version
    bad_status,     // responses: not three digits, or below 100
    // The fields. The log gets BogoHeader, see write_record(), and for responses and refused requests HttpGarbage too.
    control_character,
    line_too_long,
    leading_blank,
    empty_name,
    bad_name_character,
    no_colon,
    too_many_fields,
    no_memory
};

struct dissected {
    fault why = fault::none;
    unsigned char byte = 0;   // the character of control_character and bad_name_character
    std::string_view excerpt; // at most 20 bytes of the line at fault
    std::size_t size = 0;     // of the whole head with blanks before and the empty line; set when why is none

    bool ok() const noexcept { return why == fault::none; }
    /// The text of the BogoHeader record, written to `room` (80 bytes suffice); empty when this fault has none.
    /// DIFFERS: a byte above 0x7f is printed as two digits; the reference prints it as 0xffffffc3.
    std::string_view write_record(std::span<char> room) const noexcept;
};

/// Dissects a request head. `received` starts with it (blanks before it allowed) and head_scanner has called it
/// complete; folds are replaced by blanks in place. `max_line` is http_req_hdr_len. `out` was reset; it gets method,
/// url, protocol and the fields in order, without its listener hearing of it. On a fault the answer is 400 and close
/// (the reference's close reason RX_JUNK). Not done here: host_from_url() and framing_of_request(), to be called in
/// this order.
dissected dissect_request(std::span<char> received, head& out, std::size_t max_line) noexcept;

/// Dissects a response head; `max_line` is http_resp_hdr_len. A missing reason becomes the standard phrase. A protocol
/// above `request_version` (11) is lowered to it, since the reference never upgrades. On a fault the reference makes
/// the response a 503 and logs HttpGarbage.
dissected dissect_response(std::span<char> received, head& out, std::size_t max_line,
                           unsigned request_version = 11) noexcept;

/// Dissects one trailer or part section: only fields, up to the empty line. Same faults.
dissected dissect_fields(std::span<char> received, head& out, std::size_t max_line) noexcept;

/// RFC 9112 §3.2.2: when the URL is "http://host/path" (with `https_scheme`, feature https_scheme, also "https://…"),
/// makes it "/path" and replaces Host; the listener hears it (unset, field). A URL without a slash behind the host
/// stays. False when memory was out.
bool host_from_url(head& request, bool https_scheme) noexcept;

} // namespace clearcoat::http::h1
