// The format of varnishncsa's lines, compiled: pieces to print, and what to look out for in a transaction's records.
// Immutable once made.
#pragma once

#include "logread/quote.hpp"
#include "logread/tag_set.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::logread {

/// Parts of records that lines are made of; the ones a format watches for come behind.
enum class ncsa_part : unsigned {
    protocol,
    path,
    parameters, // the query string with its '?'
    body_bytes,
    host,
    method,
    status,
    received,
    sent,
    start,
    end,
    first_byte,
    host_header,
    authorization,
    count
};

enum class ncsa_piece_kind : unsigned char {
    literal,      // text
    part,         // part; text where there is none
    date,         // when it began, as strftime(3) formats it
    number,       // a time as an integer
    request_line, // method, URL and protocol
    user,         // of the Authorization header
    hit_or_miss,
    handling,
    side,
    vxid
};

enum class ncsa_time : unsigned char { seconds, milliseconds, microseconds, millisecond_part, microsecond_part };

struct ncsa_piece {
    ncsa_piece_kind kind = ncsa_piece_kind::literal;
    unsigned part = 0;
    ncsa_time unit = ncsa_time::seconds; // of a number
    bool elapsed = false;                // from begin to end, not when it began
    std::string text;                    // literal, default, or the date's format
};

/// Which of several values of a header a line shows.
enum class ncsa_choice : unsigned char {
    usual, // the last one that was set
    first,
    last // what was unset counts as well
};

/// A header or log key to look for ("Host:"), and the part that takes its value.
struct ncsa_watch {
    std::string key;
    unsigned part = 0;
    ncsa_choice choice = ncsa_choice::usual; // of headers
};

/// A record to look for: %{VSL:tag:prefix[field]}x.
struct ncsa_record_watch {
    log_tag tag{};
    std::string key; // "prefix:" or empty
    int field = 0;   // 0: all of the record
    unsigned part = 0;
};

struct ncsa_format {
    std::vector<ncsa_piece> pieces;
    std::vector<ncsa_watch> request_headers;
    std::vector<ncsa_watch> response_headers;
    std::vector<ncsa_watch> log_keys;
    std::vector<ncsa_record_watch> records;
    tag_set watched_tags; // of `records`
    unsigned parts = static_cast<unsigned>(ncsa_part::count);
    quoting how = quoting::hex;

    static constexpr char usual[] = "%h %l %u %t \"%r\" %s %b \"%{Referer}i\" \"%{User-agent}i\"";

    /// `json` is -j: what is quoted is quoted for JSON, and texts and numbers that are missing become "" and 0. Empty
    /// with the reference's message in `error` when the text is wrong.
    static std::optional<ncsa_format> parse(std::string_view text, bool json, std::string& error);
};

} // namespace clearcoat::logread
