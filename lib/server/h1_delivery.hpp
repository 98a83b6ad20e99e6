// Sends a response as its plan says: the head and the object's segments in one gathered write where possible, following
// an object that still grows, through gunzip, filters of modules and range where asked. Part of the request, which
// gives it its memory.
#pragma once

#include "body/gunzip_stage.hpp"
#include "body/pipeline.hpp"
#include "cache/body_cursor.hpp"
#include "flow/client_host.hpp"
#include "flow/delivery_plan.hpp"
#include "flow/request.hpp"
#include "http/h1/chunked.hpp"
#include "net/buffer.hpp"
#include "net/mail.hpp"
#include "net/stream.hpp"
#include "net/types.hpp"
#include "server/cache_waiter.hpp"

#include <array>
#include <memory>
#include <optional>
#include <span>

namespace clearcoat::server {

class h1_session;

class h1_delivery {
  public:
    /// `waker` is the request's own, woken through `waiting`; nothing is registered any more when send_on() ends.
    h1_delivery(h1_session& session, flow::request& txn, flow::client_host& host, net::waker& waker,
                cache_waiter& waiting) noexcept
        : session_(session), txn_(txn), host_(host), waker_(waker), waiting_(waiting) {}

    /// Begins to send txn.response and the body: when prepared(), write() holds all of it, is to be made and then told
    /// of by written(). Otherwise, and when written() says false, send_on() sends, or goes on sending. Failures set
    /// txn.closing; the byte counts go to txn.account.
    void prepare(flow::delivery_plan& plan);
    bool prepared() const noexcept { return prepared_; }
    net::queued_write& write() noexcept { return write_; }
    /// False when more is to be sent than write() took.
    bool written(const flow::delivery_plan& plan) noexcept;
    net::task<> send_on(flow::delivery_plan& plan);

  private:
    class esi_end;
    static constexpr std::size_t span_limit = 32;
    static constexpr std::size_t piece_limit = span_limit + 5; // head, chunk head, chunk end, last chunk

    bool format_head() noexcept;
    net::task<> send_error(std::string_view why);
    net::task<bool> send_identity(flow::delivery_plan& plan);
    net::task<bool> skip_to(std::uint64_t offset);
    body::stage* set_up_stages(flow::delivery_plan& plan) noexcept;
    net::task<bool> send_staged(flow::delivery_plan& plan);
    net::task<bool> stage_batch(flow::delivery_plan& plan, cache::cursor_read read);
    net::task<bool> end_stages(flow::delivery_plan& plan);
    net::task<bool> wait_for_more();
    net::task<bool> flush();
    void queue_pieces() noexcept { write_.pieces = {pieces_.data(), std::exchange(used_, 0)}; }
    net::task<bool> flush_unsent();
    bool settle(const net::io_result& sent) noexcept;
    void note_timeout(std::string_view which, std::span<const ::iovec> unsent, std::string_view next);
    void conclude(const flow::delivery_plan& plan) noexcept;
    bool stop(tables::close_reason why) noexcept;

    void begin_write() noexcept { used_ = 0; }
    void add_piece(std::string_view bytes) noexcept;
    void add_body(std::span<const std::span<const char>> parts, std::size_t bytes) noexcept;
    void end_body() noexcept;
    void log_filters(const flow::delivery_plan& plan) noexcept;

    // h1_delivery_esi.cpp
    net::task<bool> send_esi(flow::delivery_plan& plan);
    bool collect(std::string_view bytes) noexcept;
    void add_collected(std::string_view more) noexcept;

    h1_session& session_;
    flow::request& txn_;
    flow::client_host& host_; // of txn_, for what a page includes
    net::waker& waker_;
    cache_waiter& waiting_;
    std::optional<cache::body_cursor> cursor_;
    std::unique_ptr<body::gunzip_stage> gunzip_;
    std::unique_ptr<body::pipeline> pipeline_; // of gunzip_ and modules' filters
    body::stage* stage_ = nullptr;             // that, or gunzip_ alone
    net::buffer head_room_;
    std::unique_ptr<char[]> large_head_;
    net::buffer plain_;
    std::size_t plain_size_ = 0;
    std::array<::iovec, piece_limit> pieces_;
    net::queued_write write_; // its pieces: what is to be sent yet
    std::array<std::span<const char>, span_limit> spans_;
    std::array<char, http::h1::chunk_head_size> chunk_head_;
    std::size_t used_ = 0;     // of pieces_
    std::uint64_t writes_ = 0; // of body
    std::uint64_t read_ = 0;   // pieces of the body that gunzip got
    bool chunked_ = false;
    bool prepared_ = false;
    bool formatted_ = false; // the head is in pieces_ or sent
};

} // namespace clearcoat::server
