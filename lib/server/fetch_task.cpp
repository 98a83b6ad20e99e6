#include "server/fetch_task.hpp"

#include "backend/pool.hpp"
#include "cache/body_cursor.hpp"
#include "cache/index.hpp"
#include "flow/fetch_fsm.hpp"
#include "http/h1/chunked.hpp"
#include "net/buffer.hpp"
#include "net/loop.hpp"
#include "net/mail.hpp"
#include "server/body_sink.hpp"
#include "server/client_body.hpp"
#include "server/task_waker.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"

#include <array>
#include <cerrno>
#include <memory>
#include <string>

namespace clearcoat::server {

namespace {

using flow::fetch_action;

class fetch_task final : private flow::fetch_port, private cache::waiter, private net::connection {
  public:
    fetch_task(loop_context& context, flow::fetch_request&& request, client_body* body)
        : context_(context), client_body_(body), object_wakes_(context.loop), module_wakes_(context.loop),
          module_waker_(module_wakes_), session_(request.session), machine_(context.flow, *this, std::move(request)) {
        context_.loop.connections().push_back(*this);
    }
    ~fetch_task() override {
        context_.loop.connections().erase(*this);
        context_.loop.sessions().leave();
    }

    base::vxid_number vxid() const noexcept { return machine_.vxid(); }

    net::task<> run() {
        fetch_action action = machine_.start();
        while (action.what != fetch_action::kind::finished) {
            action = co_await perform(action);
        }
        module_waker_.detach();
        co_await settle(module_wakes_);
        co_await settle(object_wakes_);
    }

  private:
    net::task<fetch_action> perform(fetch_action action) {
        switch (action.what) {
        case fetch_action::kind::connect:
            return connect(action);
        case fetch_action::kind::send:
            return send(action);
        case fetch_action::kind::read:
            return read(action);
        case fetch_action::kind::wait_vcl:
            return wait_for_module();
        case fetch_action::kind::wait_stale:
            return wait_for_end(*action.object);
        case fetch_action::kind::wait_drain:
            return wait_for_reader(*action.object, action.limit);
        default:
            return release(action);
        }
    }

    net::task<fetch_action> connect(fetch_action action) {
        auto& from = static_cast<backend::backend&>(*action.backend);
        options_.connect_timeout = action.timeout;
        options_.force_fresh = action.fresh;
        options_.attempt = &attempt_;
        options_.client = session_->client_ip;
        options_.server = session_->server_ip;
        backend::acquire_result got = co_await backend::acquire(context_.loop, from, options_);
        co_return connected(from, got);
    }

    fetch_action connected(backend::backend& from, backend::acquire_result& got) {
        if (stopping_ || got.status == backend::acquire_status::cancelled) {
            return machine_.cancel();
        }
        if (got.status != backend::acquire_status::ok) {
            flow::connect_fault fault = got.status == backend::acquire_status::unhealthy
                                            ? flow::connect_fault::unhealthy
                                        : got.status == backend::acquire_status::busy ? flow::connect_fault::busy
                                                                                      : flow::connect_fault::failed;
            return machine_.on_connect_failed(fault, backend::describe_failure(from, got));
        }
        lease_ = std::move(got.connection);
        std::string record = backend::describe_open(lease_);
        flow::connection_facts facts;
        facts.fd = lease_.descriptor();
        facts.reused = lease_.reused();
        facts.keepable = lease_.reusable();
        facts.proxy_bytes = got.preamble_bytes;
        facts.remote = lease_.remote();
        facts.open_record = record;
        return machine_.on_connected(facts);
    }

    net::task<fetch_action> send(fetch_action action) {
        sent_ = {};
        pieces_[0] = net::piece(action.head);
        bool good = co_await write(1);
        body::stage* filter = machine_.send_filter();
        if (good && filter != nullptr) {
            co_await send_filtered(*filter);
        } else if (good && machine_.body_source() == flow::request_body::cached) {
            co_await send_cached();
        } else if (good && machine_.body_source() != flow::request_body::none) {
            co_await send_streamed(action.chunked);
        }
        co_return stopping_ ? machine_.cancel() : machine_.on_sent(sent_);
    }

    /// Writes the first `count` pieces; false when the backend does not take them.
    net::task<bool> write(std::size_t count) {
        net::io_result r = co_await lease_.stream().write_all(std::span(pieces_).first(count), net::no_deadline);
        sent_.bytes += r.bytes;
        if (!r.ok()) {
            sent_.what = flow::send_report::fault::backend;
            sent_.error = r.error != 0 ? r.error : EPIPE;
        }
        co_return r.ok();
    }

    net::task<> send_cached() {
        cache::body_cursor cursor(machine_.cached_body());
        while (true) {
            std::size_t bytes = 0;
            const std::size_t count = gather(cursor, bytes);
            if (count == 0) {
                co_return;
            }
            const bool good = co_await write(count);
            if (!good) {
                co_return;
            }
            cursor.advance(bytes);
        }
    }

    std::size_t gather(cache::body_cursor& cursor, std::size_t& bytes) noexcept {
        std::array<std::span<const char>, max_pieces> parts;
        cache::cursor_read got = cursor.peek(parts);
        if (got.status != cache::cursor_status::data) {
            return 0;
        }
        for (std::size_t i = 0; i < got.count; ++i) {
            pieces_[i] = net::piece(std::string_view(parts[i].data(), parts[i].size()));
        }
        bytes = got.bytes;
        return got.count;
    }

    net::task<> send_streamed(bool chunked) {
        while (true) {
            body_piece part = co_await client_body_->next();
            if (part.status != net::io_status::ok) {
                sent_.what = flow::send_report::fault::client;
                sent_.error = part.error;
                co_return;
            }
            const std::size_t count = frame(part, chunked);
            if (count != 0) {
                const bool good = co_await write(count);
                if (!good) {
                    co_return;
                }
            }
            if (part.last) {
                co_return;
            }
        }
    }

    /// Where filtered bytes go: to the backend, a chunk at a time.
    class chunked_end final : public body_sink {
      public:
        explicit chunked_end(fetch_task& task) noexcept : task_(task) {}
        net::task<bool> put(std::span<const std::byte> bytes) override {
            body_piece part;
            part.bytes = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
            return task_.write(task_.frame(part, true));
        }

      private:
        fetch_task& task_;
    };

    net::task<> send_filtered(body::stage& filter) {
        net::buffer room;
        if (!room.borrow(context_.loop.buffers())) {
            sent_.what = flow::send_report::fault::backend;
            sent_.error = ENOMEM;
            co_return;
        }
        chunked_end end(*this);
        stage_sink first(filter, std::as_writable_bytes(room.all()), end);
        bool good = false;
        if (machine_.body_source() == flow::request_body::cached) {
            good = co_await put_cached(first);
        } else {
            good = co_await put_streamed(first);
        }
        if (good) {
            good = co_await first.end();
        }
        if (good) {
            body_piece nothing;
            nothing.last = true;
            good = co_await write(frame(nothing, true));
        }
        if (!good && sent_.what == flow::send_report::fault::none) {
            sent_.what = flow::send_report::fault::backend; // a filter failed: the body cannot be had
            sent_.error = EIO;
        }
    }

    net::task<bool> put_cached(body_sink& to) {
        cache::body_cursor cursor(machine_.cached_body());
        bool good = true;
        while (good) {
            std::array<std::span<const char>, 1> part;
            const cache::cursor_read got = cursor.peek(part);
            if (got.status != cache::cursor_status::data) {
                break;
            }
            good = co_await to.put(std::as_bytes(part[0]));
            cursor.advance(got.bytes);
        }
        co_return good;
    }

    net::task<bool> put_streamed(body_sink& to) {
        while (true) {
            const body_piece part = co_await client_body_->next();
            if (part.status != net::io_status::ok) {
                sent_.what = flow::send_report::fault::client;
                sent_.error = part.error;
                co_return false;
            }
            const bool good = co_await to.put(std::as_bytes(std::span(part.bytes.data(), part.bytes.size())));
            if (!good || part.last) {
                co_return good;
            }
        }
    }

    /// Puts a part of the body into pieces_; how many.
    std::size_t frame(const body_piece& part, bool chunked) noexcept {
        std::size_t n = 0;
        if (!part.bytes.empty()) {
            if (chunked) {
                pieces_[n++] = net::piece(http::h1::chunk_head(part.bytes.size(), chunk_head_));
            }
            pieces_[n++] = net::piece(part.bytes);
            if (chunked) {
                pieces_[n++] = net::piece(std::string_view("\r\n"));
            }
        }
        if (part.last && chunked) {
            pieces_[n++] = net::piece(http::h1::last_chunk);
        }
        return n;
    }

    net::task<fetch_action> read(fetch_action action) {
        net::io_result r = lease_.stream().try_read(action.room);
        if (r.status == net::io_status::would_block) {
            r = co_await lease_.stream().read_some(action.room, context_.loop.deadline_in(action.timeout));
        }
        co_return received(r);
    }

    fetch_action received(const net::io_result& r) noexcept {
        using kind = flow::read_report::kind;
        switch (r.status) {
        case net::io_status::ok:
            return machine_.on_read({kind::data, r.bytes, 0});
        case net::io_status::eof:
            return machine_.on_read({kind::end, 0, 0});
        case net::io_status::timed_out:
            return machine_.on_read({kind::timed_out, 0, 0});
        case net::io_status::cancelled:
            return machine_.cancel();
        default:
            return machine_.on_read({kind::failed, 0, r.error});
        }
    }

    net::task<fetch_action> release(fetch_action action) {
        count(lease_.from().counters(), *action.account);
        if (action.recycle) {
            lease_.recycle(context_.flow.params.backend_idle_timeout());
        } else {
            lease_.close();
        }
        co_return machine_.on_released();
    }

    /// The backend's counters get what came since the last release.
    void count(tables::vbe_counters& to, const flow::fetch_account& now) noexcept {
        tables::bump(to.bereq_hdrbytes, now.bereq_header - counted_.bereq_header);
        tables::bump(to.bereq_bodybytes, now.bereq_body - counted_.bereq_body);
        tables::bump(to.beresp_hdrbytes, now.beresp_header - counted_.beresp_header);
        tables::bump(to.beresp_bodybytes, now.beresp_body - counted_.beresp_body);
        counted_ = now;
    }

    net::task<fetch_action> wait_for_module() {
        net::wait_status s = co_await module_wakes_.wait();
        module_wakes_.rearm();
        co_return s == net::wait_status::cancelled ? machine_.cancel() : machine_.on_woken();
    }

    net::task<fetch_action> wait_for_end(cache::object& o) {
        while (!stopping_) {
            const cache::object_progress seen = o.progress();
            object_wakes_.rearm();
            if (seen.state >= cache::object_state::finished) {
                break;
            }
            if (o.watch(*this, seen)) {
                net::wait_status s = co_await object_wakes_.wait();
                if (s == net::wait_status::cancelled && !o.unwatch(*this)) {
                    co_await object_wakes_.wait();
                }
            }
        }
        co_return stopping_ ? machine_.cancel() : machine_.on_woken();
    }

    net::task<fetch_action> wait_for_reader(cache::object& o, std::uint64_t limit) {
        object_wakes_.rearm();
        if (o.watch_drain(*this, limit)) {
            net::wait_status s = co_await object_wakes_.wait();
            if (s == net::wait_status::cancelled && !o.unwatch_drain(*this)) {
                co_await object_wakes_.wait();
            }
        }
        co_return stopping_ ? machine_.cancel() : machine_.on_woken();
    }

    // flow::fetch_port
    flow::backend_facts facts_of(const vcl::director& d) noexcept override {
        const auto& b = static_cast<const backend::backend&>(d);
        const vcl::backend_spec& spec = b.spec();
        flow::backend_facts facts;
        facts.display_name = b.name();
        if (!b.host_header().empty()) {
            facts.host_header = b.host_header();
        }
        facts.connect_timeout = spec.connect_timeout.value_or(0);
        facts.first_byte_timeout = spec.first_byte_timeout.value_or(0);
        facts.between_bytes_timeout = spec.between_bytes_timeout.value_or(0);
        return facts;
    }
    void request_body_done(bool bad) noexcept override { client_body_->done(bad); }
    std::shared_ptr<vcl::wakeup> make_waker() override { return module_waker_.make_waker(); }

    // cache::waiter, any thread
    void wake() noexcept override { object_wakes_.wake(); }

    // net::connection
    void shut() noexcept override {
        stopping_ = true;
        attempt_.cancel();
        if (lease_) {
            lease_.stream().shut();
        }
        object_wakes_.cancel();
        module_wakes_.cancel();
    }

    static constexpr std::size_t max_pieces = 16;

    loop_context& context_;
    client_body* client_body_;
    backend::lease lease_;
    backend::acquire_options options_;
    backend::acquire_attempt attempt_;
    flow::send_report sent_;
    flow::fetch_account counted_;
    std::array<::iovec, max_pieces> pieces_;
    std::array<char, http::h1::chunk_head_size> chunk_head_;
    net::waker object_wakes_;
    net::waker module_wakes_;
    task_waker module_waker_;
    bool stopping_ = false;
    std::shared_ptr<const flow::session_facts> session_;
    flow::fetch_fsm machine_; // last: it calls back
};

net::task<> drive(std::unique_ptr<fetch_task> fetch) {
    co_await fetch->run();
}

} // namespace

void spawn_fetch(loop_context& context, flow::fetch_request&& request, client_body* body,
                 base::log_writer& parent_log) {
    if (!context.loop.sessions().try_enter()) {
        context.flow.cache.abandon(*request.object);
        if (request.body == flow::request_body::length || request.body == flow::request_body::chunked) {
            body->done(false);
        }
        return;
    }
    const std::string_view why = flow::name_of(request.mode);
    auto fetch = std::make_unique<fetch_task>(context, std::move(request), body);
    parent_log.join(log_tag::Link, "bereq ", fetch->vxid(), ' ', why);
    context.loop.spawn(drive(std::move(fetch)));
}

} // namespace clearcoat::server
