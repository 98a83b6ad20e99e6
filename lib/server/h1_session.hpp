// A client's connection that speaks HTTP/1: reads heads, has each request served, and ends with the reason that the log
// gets. One coroutine a connection, on one loop. It waits without a buffer, and a request that need not wait is served
// without a coroutine of its own. It holds no policy: flow/ decides.
#pragma once

#include "flow/session_facts.hpp"
#include "flow/session_settings.hpp"
#include "http/h1/dissect.hpp"
#include "net/acceptor.hpp"
#include "net/loop.hpp"
#include "net/socket_stream.hpp"
#include "server/listener.hpp"
#include "server/loop_context.hpp"
#include "server/receive_buffer.hpp"
#include "tables/close_reasons.hpp"
#include "tables/log_tags.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

namespace clearcoat::server {

class h1_request;

class h1_session final : public net::connection, private net::batched_call {
  public:
    static const std::size_t memory_size;

    /// Takes the socket over and starts its coroutine. The connection is closed when the loop is stopping or memory is
    /// out.
    static void start(loop_context& context, const listener& from, const net::accepted& socket);

    h1_session(loop_context& context, const listener& from) noexcept;
    ~h1_session() override;

    // net::connection
    void shut() noexcept override;

    // For the request that is served.
    loop_context& context() noexcept { return context_; }
    net::socket_stream& stream() noexcept { return stream_; }
    const std::shared_ptr<flow::session_facts>& facts() const noexcept { return facts_; }
    flow::session_settings& settings() noexcept { return settings_; }
    receive_buffer& received() noexcept { return received_; }
    /// A record of the session's own transaction.
    void log(log_tag tag, std::string_view text) noexcept;
    bool stopping() const noexcept { return stopping_; }

  private:
    // net::batched_call: receives what there is of a head
    void make() noexcept override;
    net::call_description describe() noexcept override;
    void made(int returned) noexcept override;
    std::span<char> room_for_head() noexcept;
    void answer_overflow() noexcept;

    enum class head_state : std::uint8_t { complete, waiting, failed };

    // An idle session is suspended in run() itself: any child would hold a frame for as long.
    net::task<> run();
    net::task<tables::close_reason> read_preamble();
    /// Reads what is there; `why` tells a failure.
    head_state read_head(tables::close_reason& why) noexcept;
    /// nullptr when memory is out.
    h1_request* begin_request();
    tables::close_reason end_request() noexcept;
    void keep_tlvs(std::string_view tlvs);
    http::h1::scan_state scan_head() noexcept;
    tables::close_reason reason_of(net::io_status s) const noexcept;
    base::seconds head_deadline() const noexcept;

    void open(const net::accepted& socket) noexcept;
    void log_open(int fd) noexcept;
    void close(tables::close_reason why) noexcept;

    loop_context& context_;
    const listener& listener_;
    net::socket_stream stream_;
    std::shared_ptr<flow::session_facts> facts_;
    flow::session_settings settings_;
    receive_buffer received_;
    http::h1::head_scanner scanner_;
    base::seconds opened_ = 0;
    base::seconds idle_since_ = 0;
    base::seconds first_byte_ = 0; // of the head that is being read; 0: none yet
    h1_request* serving_ = nullptr;
    std::uint32_t asked_ = 0; // bytes that the described receive has room for
    bool stopping_ = false;
    bool awaits_head_ = false;
};

} // namespace clearcoat::server
