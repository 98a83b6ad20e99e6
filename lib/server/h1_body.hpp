// Reads the body of a request from its session: for a fetch that sends it on, to keep it in memory, or to get rid of
// it. Belongs to the request; bytes behind the body stay with the session.
#pragma once

#include "cache/body_writer.hpp"
#include "flow/client_host.hpp"
#include "flow/fetch_body.hpp"
#include "flow/request.hpp"
#include "http/h1/chunked.hpp"
#include "net/mail.hpp"
#include "server/client_body.hpp"

#include <cstdint>
#include <memory>

namespace clearcoat::server {

class h1_session;

class h1_body final : public client_body {
  public:
    h1_body(h1_session& session, flow::request& txn, flow::client_host& host) noexcept
        : session_(session), txn_(txn), host_(host) {}

    /// The framing is known: what is still to come.
    void begin() noexcept;

    /// A fetch reads it from now on; `w` is woken when it gives it back.
    void lend(net::waker& w) noexcept { borrower_ = &w; }
    bool lent() const noexcept { return borrower_ != nullptr; }

    // client_body
    net::task<body_piece> next() override;
    void done(bool bad) noexcept override;

    /// Reads to the end and forgets.
    net::task<> drop();
    /// Reads to the end into memory; more than `limit` bytes make it fail.
    net::task<> keep(std::uint64_t limit);

  private:
    body_piece take_buffered() noexcept;
    body_piece take_chunked(std::string_view bytes) noexcept;
    void forget_last_piece() noexcept;
    net::task<body_piece> receive();
    net::task<bool> send_continue();
    /// The first read of a body that goes through memory of `where`.
    void log_start(const cache::storage& where) noexcept;
    bool begin_keeping(std::uint64_t limit) noexcept;
    bool make_filters();
    bool store(cache::body_writer& writer, const body_piece& piece, std::uint64_t limit) noexcept;
    void kept(std::uint64_t length) noexcept;
    void fail(std::string_view why) noexcept;

    h1_session& session_;
    flow::request& txn_;
    flow::client_host& host_;
    http::h1::chunk_decoder chunks_;
    std::unique_ptr<flow::fetch_body> filters_; // of req.filters
    net::waker* borrower_ = nullptr;
    bool started_ = false;       // something was read, or will be now
    std::uint64_t left_ = 0;     // of a body with a length
    std::size_t handed_out_ = 0; // bytes of the session's buffer that the last piece used
};

} // namespace clearcoat::server
