// Which fields of a head go along when it is copied for another purpose: to the backend, into the cache, to a client.
// The table is field_names.def; the fields that Connection names are marked by h1::apply_connection().
//
//   client request → backend request, pass    filter_use::request_pass
//   client request → backend request, fetch   filter_use::request_fetch
//   backend response → cached object          filter_use::response_insert    (pack())
//   backend response → pass or pipe object    filter_use::response_pass      (pack())
//   any → HTTP/2 peer                         filter_use::connection_specific
// A delivered response takes all fields of the object; the delivery sets Connection, Transfer-Encoding and its own.
#pragma once

#include "http/head.hpp"

namespace clearcoat::http {

/// Whether a copy of kind `use` leaves `f` out.
inline bool is_filtered(const field& f, filter_use use) noexcept {
    return (f.flags & field::hop_by_hop) != 0 || is_filtered(f.id, use);
}

} // namespace clearcoat::http
