#include "worker/loop_runner.hpp"

#include "base/clock.hpp"
#include "server/h1_request.hpp"
#include "server/h1_session.hpp"
#include "tables/counters.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>

#include <fmt/core.h>

namespace clearcoat::worker {

namespace {

constexpr std::size_t sessions_kept = 1024;
constexpr std::size_t requests_kept = 64;
/// How long sessions and fetches get to end once they were shut, seconds.
constexpr base::seconds drain_time = 5;

/// Only this loop writes `to`.
void show(const tables::mempool_counters& from, tables::mempool_counters& to) noexcept {
    const auto now = tables::words_of(from);
    const auto shown = tables::words_of(to);
    for (std::size_t i = 0; i < now.size(); ++i) {
        tables::store(shown[i], now[i]);
    }
}

} // namespace

/// A socket this loop accepts on.
class loop_runner::listening final : public net::accept_sink {
  public:
    listening(loop_runner& owner, const clearcoat::server::listener& from, int fd)
        : owner_(owner), from_(from), acceptor_(owner.loop_, fd, *this) {}

    void start() {
        apply_parameters();
        if (const int error = acceptor_.start()) {
            throw std::system_error(error, std::generic_category(), "cannot accept on " + from_.endpoint);
        }
    }
    void stop() noexcept { acceptor_.stop(); }

    void on_accept(const net::accepted& connection) noexcept override {
        apply_parameters();
        clearcoat::server::h1_session::start(owner_.context_, from_, connection);
    }
    void on_accept_failure(net::accept_failure why, int error) noexcept override {
        tables::main_counters& c = owner_.delta_;
        ++c.sess_fail;
        switch (why) {
        case net::accept_failure::aborted:
            ++c.sess_fail_econnaborted;
            break;
        case net::accept_failure::interrupted:
            ++c.sess_fail_eintr;
            break;
        case net::accept_failure::no_files:
            ++c.sess_fail_emfile;
            break;
        case net::accept_failure::no_memory:
            ++c.sess_fail_enomem;
            break;
        default:
            ++c.sess_fail_other;
        }
        owner_.shared_.log.print_now(log_tag::SessError, "{} {} {}", from_.name, error, std::strerror(error));
    }

  private:
    /// What is set now holds for the connections accepted from now on.
    void apply_parameters() noexcept {
        const tables::param_block& p = owner_.shared_.params;
        acceptor_.set_shortage_pause(p.acceptor_sleep_max());
        if (!from_.is_unix) {
            net::keepalive_settings how;
            how.idle_seconds = static_cast<int>(p.tcp_keepalive_time());
            how.interval_seconds = static_cast<int>(p.tcp_keepalive_intvl());
            how.probes = static_cast<int>(p.tcp_keepalive_probes());
            acceptor_.set_keepalive(how);
        }
    }

    loop_runner& owner_;
    const clearcoat::server::listener& from_;
    net::acceptor acceptor_;
};

net::loop_options loop_runner::options() {
    net::loop_options o;
    o.counters = &delta_;
    o.use_io_uring = shared_.params.io_uring();
    o.merge_counters = [this] { merge(); };
    return o;
}

loop_runner::loop_runner(unsigned index, shared_state& shared, vcl_slots& vcls)
    : shared_(shared), loop_(index, options()), logs_(shared.log, delta_), vxids_(shared.vxids), vcls_(vcls),
      session_memory_(clearcoat::server::h1_session::memory_size, sessions_kept),
      request_memory_(clearcoat::server::h1_request::memory_size, requests_kept),
      session_memory_shown_(shared.segments, fmt::format("sess{}", index)),
      request_memory_shown_(shared.segments, fmt::format("req{}", index)),
      services_{base::system_clock(), shared.params,        delta_,         shared.counters,
                shared.cache,         shared.storage_names, vxids_,         logs_,
                loop_.chunks(),       shared.boot.identity, shared.hostname},
      context_{loop_, services_, vcls_, session_memory_, request_memory_}, stop_mail_(*this) {
    show_memory();
}

loop_runner::~loop_runner() = default;

void loop_runner::add_listener(const clearcoat::server::listener& from, int fd) {
    listeners_.push_back(std::make_unique<listening>(*this, from, fd));
}

void loop_runner::start() {
    thread_ = std::thread([this] { run(); });
}

void loop_runner::run() {
    for (const auto& l : listeners_) {
        l->start();
    }
    loop_.run();
    merge();
}

void loop_runner::merge() {
    ++delta_.summs;
    tables::merge_into(shared_.counters, delta_);
    show_memory();
}

void loop_runner::show_memory() noexcept {
    show(session_memory_.counts(), *session_memory_shown_);
    show(request_memory_.counts(), *request_memory_shown_);
}

void loop_runner::stop_serving() {
    for (const auto& l : listeners_) {
        l->stop();
    }
    loop_.sessions().close();
    for (net::connection& c : loop_.connections()) {
        c.shut();
    }
    loop_.spawn(drain());
}

net::task<> loop_runner::drain() {
    static_cast<void>(co_await loop_.sessions().drained(loop_.deadline_in(drain_time)));
    loop_.stop();
}

bool loop_runner::wait() {
    if (thread_.joinable()) {
        thread_.join();
    }
    return loop_.sessions().inside() == 0;
}

} // namespace clearcoat::worker
