#include "backend/pool.hpp"

#include "net/loop.hpp"
#include "net/proxy_preamble.hpp"
#include "sys/fd.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <utility>

#include <fmt/core.h>

namespace clearcoat::backend {

lease::lease(backend& from, std::unique_ptr<pooled_connection> connection, bool reused) noexcept
    : from_(&from), connection_(std::move(connection)), reused_(reused) {
    tables::bump(from.counters().conn);
    tables::bump(from.counters().req);
}

lease& lease::operator=(lease&& other) noexcept {
    if (this != &other) {
        close();
        from_ = other.from_;
        connection_ = std::move(other.connection_);
        reused_ = other.reused_;
    }
    return *this;
}

bool lease::reusable() const noexcept {
    return from_->spec().proxy_header == 0;
}

void lease::recycle(base::seconds idle_timeout) noexcept {
    if (connection_ != nullptr && reusable()) {
        from_->where().give_idle(std::move(connection_), idle_timeout);
        give_back();
    } else {
        close();
    }
}

void lease::close() noexcept {
    if (connection_ != nullptr) {
        connection_.reset();
        give_back();
    }
}

void lease::give_back() noexcept {
    tables::drop(from_->counters().conn);
    from_->release_slot();
}

namespace {

/// How often a task that waits for a slot looks whether the backend is still healthy.
constexpr base::seconds health_interval = 0.1;

bool is_healthy(backend& from) noexcept {
    return from.effective_state(nullptr).healthy;
}

void count_refusal(backend& from, acquire_status why) noexcept {
    if (why == acquire_status::unhealthy) {
        tables::bump(from.counters().unhealthy);
    } else if (why == acquire_status::busy) {
        tables::bump(from.counters().busy);
    }
}

/// A connection that begins with the client's addresses serves that client only, so such a backend never reuses.
bool may_reuse(const backend& from, const acquire_options& options) noexcept {
    return !options.force_fresh && from.spec().proxy_header == 0;
}

net::task<net::io_result> send_proxy(backend& from, net::stream& to, const acquire_options& options,
                                     base::seconds timeout) {
    const std::string preamble = net::format_proxy_preamble(from.spec().proxy_header, options.client, options.server);
    std::array<::iovec, 1> pieces;
    pieces[0] = net::piece(preamble);
    net::io_result result = co_await to.write_all(pieces, to.home().deadline_in(timeout));
    co_return result;
}

acquire_status status_of(const dial_outcome& outcome) noexcept {
    if (outcome.connected) {
        return acquire_status::ok;
    }
    return outcome.cancelled ? acquire_status::cancelled : acquire_status::failed;
}

/// Lets `attempt`, when there is one, reach what is waited for, a stream that is connected or a slot, for as long as
/// this lives.
template<class Awaited>
class reachable {
  public:
    reachable(acquire_attempt* attempt, Awaited& awaited) noexcept : attempt_(attempt) { watch(&awaited); }
    ~reachable() { watch(nullptr); }
    reachable(const reachable&) = delete;
    reachable& operator=(const reachable&) = delete;
    bool cancelled() const noexcept { return attempt_ != nullptr && attempt_->cancelled(); }

  private:
    void watch(Awaited* awaited) noexcept {
        if (attempt_ != nullptr) {
            attempt_->watch(awaited);
        }
    }
    acquire_attempt* attempt_;
};

/// For a backend at its max_connections: waits as long as it and the parameters allow. `busy` when none came in time.
net::task<acquire_status> await_slot(net::loop& home, backend& from, const acquire_options& options) {
    const tables::param_block& params = from.worker().params();
    const base::seconds timeout = from.spec().wait_timeout.value_or(params.backend_wait_timeout());
    slot_queue::waiter waiter(home);
    if (timeout <= 0 || !from.wait_for_slot(waiter, from.spec().wait_limit.value_or(params.backend_wait_limit()))) {
        co_return acquire_status::busy;
    }
    ++home.counters().backend_wait;
    const base::seconds deadline = home.deadline_in(timeout);
    const reachable<net::waker> within(options.attempt, waiter.told);
    bool waits = !within.cancelled();
    while (waits) {
        const net::wait_status how = co_await waiter.told.wait(std::min(deadline, home.deadline_in(health_interval)));
        waits = how == net::wait_status::timed_out && home.now() < deadline && is_healthy(from);
    }
    from.stop_waiting(waiter);
    while (waiter.told.pending()) {
        // A stopping loop cancels waits, but the letter must come first.
        static_cast<void>(co_await waiter.told.wait());
    }
    if (waiter.granted) {
        co_return acquire_status::ok;
    }
    ++home.counters().backend_wait_fail;
    if (within.cancelled()) {
        co_return acquire_status::cancelled;
    }
    co_return is_healthy(from) ? acquire_status::busy : acquire_status::unhealthy;
}

/// Whether a fetch may try, which takes its slot.
acquire_status admit(backend& from) noexcept {
    if (!is_healthy(from)) {
        return acquire_status::unhealthy;
    }
    return from.take_slot() ? acquire_status::ok : acquire_status::busy;
}

/// Travels to a loop that has an idle connection and brings its descriptor home. Lives in the asking coroutine, which
/// waits until it is back.
class idle_letter final : public net::mail {
  public:
    idle_letter(net::loop& home, net::loop& holder, endpoint& where) noexcept
        : home_(home), holder_(holder), where_(where), back_(home) {}
    void send() noexcept { holder_.post(*this); }
    auto returned() noexcept { return back_.wait(); }
    /// nullptr when the other loop had none any more.
    std::unique_ptr<pooled_connection> open() {
        if (fd_ < 0) {
            return nullptr;
        }
        auto connection = std::make_unique<pooled_connection>(home_);
        connection->remote = remote_;
        return connection->stream.adopt(fd_, remote_) == 0 ? std::move(connection) : nullptr;
    }

  private:
    void delivered() noexcept override {
        if (visited_) {
            back_.set();
            return;
        }
        visited_ = true;
        if (std::unique_ptr<pooled_connection> idle = where_.take_idle(holder_)) {
            remote_ = idle->remote;
            fd_ = idle->stream.release();
        }
        home_.post(*this);
    }

    net::loop& home_;
    net::loop& holder_;
    endpoint& where_;
    net::signal back_;
    base::ip_address remote_;
    int fd_ = -1;
    bool visited_ = false;
};

/// An idle connection of another loop: better than a new one, above all for a backend that serves one at a time.
net::task<std::unique_ptr<pooled_connection>> borrow(net::loop& home, endpoint& where) {
    net::loop* holder = where.other_holder(home);
    if (holder == nullptr) {
        co_return nullptr;
    }
    idle_letter letter(home, *holder, where);
    letter.send();
    // A stopping loop cancels waits, but the letter must come back before it may go.
    while (true) {
        const net::wait_status how = co_await letter.returned();
        if (how == net::wait_status::ready) {
            break;
        }
    }
    co_return letter.open();
}

net::task<> connect(net::loop& home, backend& from, const acquire_options& options, acquire_result& result) {
    if (options.attempt != nullptr && options.attempt->cancelled()) {
        result.status = acquire_status::cancelled;
        from.release_slot();
        co_return;
    }
    const tables::param_block& params = from.worker().params();
    const base::seconds timeout =
        backend::pick_timeout(options.connect_timeout, from.spec().connect_timeout, params.connect_timeout());
    auto connection = std::make_unique<pooled_connection>(home);
    const reachable<net::stream> within(options.attempt, connection->stream);
    const dial_outcome outcome = co_await dial(from.where(), *connection, params, timeout);
    result.status = status_of(outcome);
    result.error = outcome.error;
    if (!outcome.connected) {
        if (!outcome.cancelled) {
            count_connect_error(from.counters(), outcome.error);
        }
        from.release_slot();
        co_return;
    }
    if (from.spec().proxy_header != 0) {
        const net::io_result sent = co_await send_proxy(from, connection->stream, options, timeout);
        if (!sent.ok()) {
            result.status = acquire_status::proxy_failed;
            result.error = sent.error != 0 ? sent.error : ETIMEDOUT;
            from.release_slot();
            co_return;
        }
        result.preamble_bytes = sent.bytes;
    }
    result.connection = lease(from, std::move(connection), false);
}

} // namespace

net::task<acquire_result> acquire(net::loop& home, backend& from, const acquire_options& options) {
    acquire_result result;
    result.status = admit(from);
    if (result.status == acquire_status::busy) {
        result.status = co_await await_slot(home, from, options);
    }
    if (result.status != acquire_status::ok) {
        count_refusal(from, result.status);
        co_return std::move(result);
    }
    std::unique_ptr<pooled_connection> idle;
    if (may_reuse(from, options)) {
        idle = from.where().take_idle(home);
        if (!idle) {
            idle = co_await borrow(home, from.where());
        }
    }
    if (idle) {
        result.connection = lease(from, std::move(idle), true);
    } else {
        co_await connect(home, from, options, result);
    }
    co_return std::move(result);
}

std::string describe_failure(const backend& from, const acquire_result& result) {
    switch (result.status) {
    case acquire_status::unhealthy:
        return fmt::format("backend {}: unhealthy", from.name());
    case acquire_status::busy:
        return fmt::format("backend {}: busy", from.name());
    case acquire_status::proxy_failed:
        return fmt::format("backend {}: proxy write errno {} ({})", from.name(), result.error,
                           sys::error_text(result.error));
    default:
        return fmt::format("backend {}: fail errno {} ({})", from.name(), result.error, sys::error_text(result.error));
    }
}

std::string describe_open(lease& l) {
    const base::ip_address local = l.stream().local_address();
    return fmt::format("{} {} {} {} {} {} {}", l.descriptor(), l.from().name(), base::to_string(l.remote()),
                       l.remote().port, base::to_string(local), local.port, l.reused() ? "reuse" : "connect");
}

} // namespace clearcoat::backend
