// Conditional requests (RFC 9110 §13): whether 304 is the answer, and the entity tag's weakening when a body changes
// its coding on the way.
#pragma once

#include "base/clock.hpp"
#include "http/head.hpp"

#include <string_view>

namespace clearcoat::http {

/// Whether `response`, a 200 about to be sent, answers `request` with 304 as the reference decides: If-None-Match alone
/// when present (one tag, weak comparison, strong with Range), otherwise If-Modified-Since, ignored when it lies after
/// `request_time`. `object_last_modified` stands in for a response without Last-Modified.
bool answers_not_modified(const head& request, const head& response, base::seconds request_time,
                          base::seconds object_last_modified) noexcept;

/// Whether Last-Modified of `h` may be used as a strong validator: Date is at least a second later (RFC 9110 §8.8.2.2).
bool has_strong_last_modified(const head& h) noexcept;

/// Makes a strong ETag weak ("W/" before it); the listener hears unset and field. False when memory was out.
bool weaken_etag(head& response) noexcept;

/// Makes sure that Vary names Accept-Encoding; the listener hears of it. False when memory was out.
bool vary_on_accept_encoding(head& response) noexcept;

/// Whether the client takes gzip: Accept-Encoding has x-gzip, or gzip with a quality above 0.
bool accepts_gzip(const head& request) noexcept;

} // namespace clearcoat::http
