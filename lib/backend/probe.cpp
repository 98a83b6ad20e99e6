#include "backend/probe.hpp"

#include "backend/backend.hpp"
#include "backend/pool.hpp"
#include "net/loop.hpp"
#include "net/proxy_preamble.hpp"
#include "sys/fd.hpp"

#include <array>
#include <cerrno>
#include <cmath>

#include <fmt/core.h>

namespace clearcoat::backend {

namespace {

constexpr std::size_t kept_response = 127; // bytes of a response that are looked at and logged

std::string request_of(const vcl::probe_spec& spec, const std::string& host) {
    if (!spec.request.empty()) {
        return spec.request;
    }
    return fmt::format("GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", spec.url.empty() ? "/" : spec.url,
                       host);
}

std::string error_note(std::string_view what, int error) {
    return fmt::format("{} error {} ({})", what, error, sys::error_text(error));
}

int error_of(const net::io_result& result) noexcept {
    return result.error != 0 ? result.error : result.status == net::io_status::timed_out ? ETIMEDOUT : ECONNRESET;
}

} // namespace

/// One poke under way.
struct health_probe::attempt {
    attempt(net::loop& l, base::seconds timeout, poke_result& out)
        : home(l), connection(l), started(l.now()), deadline(l.deadline_in(timeout)), result(out) {}
    net::loop& home;
    pooled_connection connection;
    base::seconds started;
    base::seconds deadline;
    poke_result& result;
};

/// Starts the coroutine on its loop.
class health_probe::start_letter final : public net::mail {
  public:
    start_letter(std::shared_ptr<health_probe> probe, net::loop& home, std::uint64_t generation)
        : probe_(std::move(probe)), home_(home), generation_(generation) {}

  private:
    void delivered() noexcept override {
        home_.spawn(run(std::move(probe_), home_, generation_));
        delete this;
    }
    void dropped() noexcept override { delete this; }
    std::shared_ptr<health_probe> probe_;
    net::loop& home_;
    std::uint64_t generation_;
};

health_probe::health_probe(const vcl::probe_spec& spec, target to, tables::vbe_counters& counters, services& worker)
    : to_(std::move(to)), request_(request_of(spec, to_.host_header)), worker_(worker), state_(spec),
      counters_(&counters) {
    std::lock_guard lock(mutex_);
    publish();
}

void health_probe::start() {
    const std::uint64_t generation = generation_.fetch_add(1, std::memory_order_relaxed) + 1;
    reset_and_publish();
    net::loop& home = worker_.probe_loop();
    home.post(*new start_letter(shared_from_this(), home, generation));
}

void health_probe::stop() {
    generation_.fetch_add(1, std::memory_order_relaxed);
    reset_and_publish();
}

void health_probe::detach() {
    generation_.fetch_add(1, std::memory_order_relaxed);
    std::lock_guard lock(mutex_);
    counters_ = nullptr;
}

void health_probe::reset_and_publish() {
    std::lock_guard lock(mutex_);
    state_.reset();
    publish();
}

// Under mutex_.
void health_probe::publish() {
    if (counters_ == nullptr) {
        return;
    }
    const bool sick = !state_.healthy();
    const bool changed = sick_.exchange(sick, std::memory_order_relaxed) != sick;
    worker_.log(log_tag::Backend_health, state_.log_line(to_.name, changed));
    tables::store(counters_->happy, state_.happy_bits());
    if (changed) {
        changed_.store(worker_.clock().real(), std::memory_order_relaxed);
    }
}

std::string health_probe::list(vcl::director::listing form) {
    std::lock_guard lock(mutex_);
    const bool sick = sick_.load(std::memory_order_relaxed);
    switch (form) {
    case vcl::director::listing::row:
        return state_.row(sick);
    case vcl::director::listing::details:
        return state_.details();
    case vcl::director::listing::json:
        return state_.json_row(sick);
    case vcl::director::listing::json_details:
        return state_.json_details();
    }
    return "";
}

// Looks at the generation between pokes only: after a stop it lives on for one interval at most, as a waiter without
// effect.
net::task<> health_probe::run(std::shared_ptr<health_probe> self, net::loop& home, std::uint64_t generation) {
    const base::seconds interval = self->state_.spec().interval;
    net::signal never(home);
    while (self->generation_.load(std::memory_order_relaxed) == generation) {
        poke_result result;
        co_await self->poke(home, result);
        if (self->generation_.load(std::memory_order_relaxed) != generation) {
            break;
        }
        {
            std::lock_guard lock(self->mutex_);
            self->state_.record(result);
            self->publish();
        }
        co_await never.wait(home.deadline_in(interval));
    }
}

net::task<> health_probe::poke(net::loop& home, poke_result& result) {
    attempt now(home, state_.spec().timeout, result);
    const bool opened = co_await open(now);
    if (!opened) {
        co_return;
    }
    const bool sent = co_await send(now);
    if (sent) {
        co_await receive(now);
    }
}

net::task<bool> health_probe::open(attempt& now) {
    const dial_outcome outcome =
        co_await dial(*to_.where, now.connection, worker_.params(), now.deadline - now.started);
    if (!outcome.connected) {
        now.result.response = error_note("Open", outcome.error);
        std::lock_guard lock(mutex_);
        if (counters_ != nullptr) {
            count_connect_error(*counters_, outcome.error);
        }
        co_return false;
    }
    if (!to_.where->address().path.empty()) {
        now.result.bits.good_unix = true;
    } else if (now.connection.remote.kind == base::ip_address::family::v4) {
        now.result.bits.good_ipv4 = true;
    } else {
        now.result.bits.good_ipv6 = true;
    }
    if (now.home.now() >= now.deadline) {
        now.result.response = fmt::format("Open timeout {:.3f}s exceeded by {:.3f}s", state_.spec().timeout,
                                          now.home.now() - now.deadline);
        co_return false;
    }
    co_return true;
}

net::task<bool> health_probe::send(attempt& now) {
    std::string preamble;
    if (to_.proxy_header != 0) {
        const bool is_ip = to_.where->address().path.empty();
        preamble = net::format_probe_preamble(to_.proxy_header, now.connection.stream.local_address(), is_ip);
    }
    std::array<::iovec, 2> pieces;
    pieces[0] = net::piece(preamble);
    pieces[1] = net::piece(request_);
    const net::io_result result = co_await now.connection.stream.write_all(pieces, now.deadline);
    if (!result.ok()) {
        now.result.bits.err_xmit = true;
        now.result.response = error_note("Write", error_of(result));
        co_return false;
    }
    now.result.bits.good_xmit = true;
    co_return true;
}

net::task<> health_probe::receive(attempt& now) {
    std::array<char, 256> room;
    std::string& response = now.result.response;
    std::size_t received = 0;
    for (;;) {
        const net::io_result result = co_await now.connection.stream.read_some(room, now.deadline);
        if (result.status == net::io_status::eof) {
            break;
        }
        if (!result.ok()) {
            const bool late = result.status == net::io_status::timed_out;
            now.result.bits.err_recv = true;
            response = error_note(late ? "Poll" : "Read", error_of(result));
            co_return;
        }
        if (response.size() < kept_response) {
            response.append(room.data(), std::min(result.bytes, kept_response - response.size()));
        }
        received += result.bytes;
        if (!state_.spec().expect_close && response.find('\n') != response.npos) {
            break;
        }
    }
    if (received == 0) {
        response = "Empty response";
        co_return;
    }
    judge(now);
}

void health_probe::judge(attempt& now) const {
    now.home.refresh_clock();
    now.result.took = now.home.now() - now.started;
    now.result.bits.good_recv = true;
    std::string& line = now.result.response;
    line.erase(std::min(line.find_first_of(std::string_view("\r\n\0", 3)), line.size()));
    now.result.bits.happy = response_matches(line, state_.spec().expected_response);
}

} // namespace clearcoat::backend
