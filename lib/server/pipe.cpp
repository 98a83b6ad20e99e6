#include "server/pipe.hpp"

#include "backend/pool.hpp"
#include "cache/body_cursor.hpp"
#include "net/buffer.hpp"
#include "net/loop.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace clearcoat::server {

namespace {

using tables::close_reason;

/// Both directions of one pipe; the session's coroutine owns it, a child carries the answers.
class relay {
  public:
    /// `until`: when it ends in any case, as the loop counts time.
    relay(loop_context& context, net::stream& client, net::stream& backend, base::seconds until) noexcept
        : context_(context), client_(client), backend_(backend), child_done_(context.loop), until_(until) {}

    net::task<> run() {
        touched_ = context_.loop.now();
        context_.loop.spawn(answers(*this));
        co_await carry(client_, backend_, in_);
        co_await child_done_.wait();
    }
    std::uint64_t in() const noexcept { return in_; }
    std::uint64_t out() const noexcept { return out_; }

  private:
    static net::task<> answers(relay& self) {
        co_await self.carry(self.backend_, self.client_, self.out_);
        self.child_done_.set();
    }

    base::seconds deadline() const noexcept {
        const base::seconds silence = context_.flow.params.pipe_timeout();
        return silence > 0 ? std::min(touched_ + silence, until_) : until_;
    }

    /// Until `from` ends or all is silent. An orderly end is handed on; the other direction goes on by itself.
    net::task<> carry(net::stream& from, net::stream& to, std::uint64_t& count) {
        net::buffer memory;
        if (!memory.borrow(context_.loop.buffers())) {
            stop();
            co_return;
        }
        while (true) {
            net::io_result got = co_await from.read_some(memory.all(), deadline());
            if (got.status == net::io_status::timed_out && context_.loop.now() < deadline()) {
                continue; // the other direction was busy meanwhile
            }
            if (got.ok()) {
                touched_ = context_.loop.now();
                got = co_await pass_on(to, std::string_view(memory.all().data(), got.bytes), count);
            }
            if (!got.ok()) {
                finish(got.status, to);
                co_return;
            }
        }
    }

    net::task<net::io_result> pass_on(net::stream& to, std::string_view bytes, std::uint64_t& count) {
        ::iovec piece = net::piece(bytes);
        net::io_result sent = co_await to.write_all(std::span(&piece, 1), deadline());
        count += sent.bytes;
        touched_ = context_.loop.now();
        co_return sent;
    }

    void finish(net::io_status why, net::stream& to) noexcept {
        if (why == net::io_status::timed_out || why == net::io_status::cancelled) {
            stop();
        } else {
            to.shutdown_write();
        }
    }

    void stop() noexcept {
        client_.shut();
        backend_.shut();
    }

    loop_context& context_;
    net::stream& client_;
    net::stream& backend_;
    net::signal child_done_;
    base::seconds touched_ = 0; // when bytes last went through
    base::seconds until_;
    std::uint64_t in_ = 0;
    std::uint64_t out_ = 0;
};

void count_failure(tables::main_counters& n, backend::acquire_status why) noexcept {
    switch (why) {
    case backend::acquire_status::unhealthy:
        ++n.backend_unhealthy;
        break;
    case backend::acquire_status::busy:
        ++n.backend_busy;
        break;
    default:
        ++n.backend_fail;
    }
}

void count_in_backend(tables::vbe_counters& n, const flow::pipe_exchange::traffic& bytes) noexcept {
    tables::bump(n.pipe_hdrbytes, bytes.bereq_header);
    tables::bump(n.pipe_out, bytes.in);
    tables::bump(n.pipe_in, bytes.out);
}

net::task<net::io_result> send_body(net::stream& to, cache::object_ref body, std::uint64_t& count) {
    cache::body_cursor cursor(std::move(body));
    net::io_result r;
    while (r.ok()) {
        std::span<const char> part;
        cache::cursor_read got = cursor.peek(std::span(&part, 1));
        if (got.status != cache::cursor_status::data) {
            break;
        }
        ::iovec piece = net::piece(std::string_view(part.data(), part.size()));
        r = co_await to.write_all(std::span(&piece, 1), net::no_deadline);
        count += r.bytes;
        cursor.advance(got.bytes);
    }
    co_return r;
}

/// The request's head, and its body where that is in memory. False when the backend does not take it.
net::task<bool> send_request(flow::pipe_exchange& exchange, net::stream& to, const pipe_ends& ends,
                             flow::pipe_exchange::traffic& bytes) {
    std::array<::iovec, 2> pieces = {net::piece(exchange.format_request()), net::piece(ends.already_read)};
    const std::size_t head_size = pieces[0].iov_len;
    net::io_result r = co_await to.write_all(std::span<::iovec>(pieces), net::no_deadline);
    bytes.bereq_header = std::min(r.bytes, head_size);
    bytes.in = r.bytes - bytes.bereq_header;
    if (!r.ok()) {
        const int error = r.error != 0 ? r.error : EPIPE;
        exchange.log().print(log_tag::FetchError, "backend write error: {} ({}) ({}", error, std::strerror(error),
                             tables::text_of(close_reason::tx_error));
    }
    if (r.ok() && ends.cached_body) {
        r = co_await send_body(to, ends.cached_body, bytes.in);
    }
    exchange.mark("Bereq");
    co_return r.ok() && head_size != 0;
}

void begin_log(flow::pipe_exchange& exchange, const backend::acquire_result& got, backend::lease& lease) {
    exchange.mark("Connected");
    exchange.count_preamble(got.preamble_bytes);
    exchange.log().write(log_tag::BackendOpen, backend::describe_open(lease));
}

/// bereq.task_deadline, else the parameter, counted from now on.
base::seconds task_deadline(loop_context& context, flow::pipe_exchange& exchange) noexcept {
    const base::seconds own = exchange.choice().task_deadline;
    const base::seconds most = own > 0 ? own : context.flow.params.pipe_task_deadline();
    return most > 0 ? context.loop.deadline_in(most) : net::no_deadline;
}

} // namespace

net::task<close_reason> run_pipe(loop_context& context, flow::pipe_exchange& exchange, pipe_ends ends) {
    vcl::director* chosen = exchange.resolve();
    if (chosen == nullptr) {
        co_return close_reason::tx_error;
    }
    auto& from = static_cast<backend::backend&>(*chosen);
    if (!exchange.head().has(http::field_id::host) && !from.host_header().empty()) {
        exchange.head().add(http::field_id::host, from.host_header());
    }
    const base::seconds until = task_deadline(context, exchange);
    backend::acquire_options options;
    options.connect_timeout = exchange.choice().connect_timeout;
    options.attempt = ends.attempt;
    options.client = exchange.client().session().client_ip;
    options.server = exchange.client().session().server_ip;
    flow::pipe_exchange::traffic bytes;
    backend::acquire_result got = co_await backend::acquire(context.loop, from, options);
    if (got.status != backend::acquire_status::ok) {
        count_failure(context.flow.counters, got.status);
        exchange.log().write(log_tag::FetchError, backend::describe_failure(from, got));
        exchange.charge(bytes);
        co_return close_reason::tx_error;
    }
    backend::lease lease = std::move(got.connection);
    ++(lease.reused() ? context.flow.counters.backend_reuse : context.flow.counters.backend_conn);
    begin_log(exchange, got, lease);
    const bool sent = co_await send_request(exchange, lease.stream(), ends, bytes);
    exchange.client().mark("Pipe");
    if (sent) {
        relay both(context, *ends.client, lease.stream(), until);
        co_await both.run();
        bytes.in += both.in();
        bytes.out += both.out();
    }
    exchange.client().mark("PipeSess");
    exchange.log().print(log_tag::BackendClose, "{} {} close {}", lease.descriptor(), from.name(),
                         tables::text_of(close_reason::tx_pipe));
    lease.close();
    exchange.charge(bytes);
    count_in_backend(from.counters(), bytes);
    co_return close_reason::tx_pipe;
}

} // namespace clearcoat::server
