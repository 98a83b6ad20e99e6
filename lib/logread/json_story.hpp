// A transaction sorted for printing it as JSON: head of the request, head of the response, times, costs, links; what
// has no place of its own is kept as records. Texts are views of the transaction's records and live as long as it.
#pragma once

#include "logread/log_options.hpp"
#include "logread/transaction.hpp"

#include <string_view>
#include <vector>

namespace clearcoat::logread {

struct story_message {
    std::vector<std::string_view> headers;
    std::string_view method, url, protocol, status, reason, header_bytes, body_bytes;
};

/// What of a transaction has a place of its own, and the rest.
struct story {
    story_message request;
    story_message response;
    std::string_view client, backend, session, vcl, storage, begin;
    std::string_view handling;
    std::vector<std::string_view> events, logs, links, errors;
    std::vector<record> others;
};

/// Reads the records that `options` shows. Headers that VCL took away again are not in the result.
story read_story(const transaction& t, const log_options& options);

/// The bytes of a record up to the first NUL.
std::string_view text_of(record r) noexcept;
/// The n-th word, from 1; empty when there are fewer.
std::string_view word_of(std::string_view text, int wanted) noexcept;

} // namespace clearcoat::logread
