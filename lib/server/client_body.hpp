// The body of a client's request as a fetch or a pipe sends it on: the session lends its stream for it. Everything on
// the session's loop.
#pragma once

#include "net/stream.hpp"

#include <string_view>

namespace clearcoat::server {

/// A part of the body, transfer decoding done.
struct body_piece {
    net::io_status status = net::io_status::ok; // eof: the client's connection ended before the body did
    int error = 0;                              // errno where there is one
    std::string_view bytes;                     // valid until the next call
    bool last = false;                          // with ok: nothing follows
};

class client_body {
  public:
    virtual ~client_body() = default;
    /// The next part; sends "100 Continue" first when the client waits for it. Not called again after last or a fault.
    virtual net::task<body_piece> next() = 0;
    /// The borrower does not touch this object any more. Called once. `bad`: the body was not read to its end because
    /// reading it failed; the session closes with RX_BODY. What was not read otherwise is the session's to skip.
    virtual void done(bool bad) noexcept = 0;
};

} // namespace clearcoat::server
