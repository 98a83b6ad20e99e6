#include "backend/endpoint.hpp"

#include "base/panic.hpp"
#include "net/loop.hpp"

#include <fmt/core.h>

namespace clearcoat::backend {

std::string endpoint_address::key() const {
    if (!path.empty()) {
        return fmt::format("unix {} {}", path, preamble);
    }
    std::string made;
    for (const auto& address : {ipv4, ipv6}) {
        if (address) {
            made += fmt::format("{} {} ", base::to_string(*address), address->port);
        }
    }
    return made + preamble;
}

namespace {

/// Whether an idle connection has nothing to say. The kernel may report bytes that were read already, so a report alone
/// proves nothing; bytes that nobody asked for, or an end, do.
bool is_quiet(net::socket_stream& stream) noexcept {
    if (stream.hung_up()) {
        return false;
    }
    if (!stream.readable()) {
        return true;
    }
    char byte;
    return stream.try_read({&byte, 1}).status == net::io_status::would_block;
}

} // namespace

/// One loop's idle connections to an endpoint. When the endpoint goes, the pool becomes a letter to its loop and dies
/// there.
class idle_pool final : public net::mail {
  public:
    idle_pool(net::loop& home, std::shared_ptr<endpoint::holder_table> holders) noexcept
        : home_(home), holders_(std::move(holders)) {}
    ~idle_pool() override {
        while (take()) {
        }
    }

    net::loop& home() noexcept { return home_; }
    std::size_t size() const noexcept { return size_; }

    void keep(std::unique_ptr<pooled_connection> connection, base::seconds timeout) noexcept {
        pooled_connection* idle = connection.release();
        idle_.push_front(*idle);
        ++size_;
        note();
        idle->idle_until = home_.deadline_in(timeout);
        listen_to(*idle);
    }

    std::unique_ptr<pooled_connection> take() noexcept {
        pooled_connection* first = idle_.pop_front();
        if (first != nullptr) {
            --size_;
            note();
            first->stream.take_back();
        }
        return std::unique_ptr<pooled_connection>(first);
    }

  private:
    void listen_to(pooled_connection& idle) noexcept {
        idle.stream.when_readable(idle.idle_until, [this, &idle](net::wait_status how) { heard(idle, how); });
    }
    void heard(pooled_connection& idle, net::wait_status how) noexcept {
        if (how == net::wait_status::ready && is_quiet(idle.stream)) {
            listen_to(idle);
        } else {
            drop(idle);
        }
    }
    void drop(pooled_connection& idle) noexcept {
        idle_.erase(idle);
        --size_;
        note();
        delete &idle;
    }
    void delivered() noexcept override { delete this; }
    void dropped() noexcept override { delete this; }
    void note() noexcept { (*holders_)[home_.index()].store(size_ == 0 ? nullptr : &home_, std::memory_order_relaxed); }

    net::loop& home_;
    std::shared_ptr<endpoint::holder_table> holders_; // outlives the endpoint: this pool does, too
    base::intrusive_list<pooled_connection> idle_;
    std::size_t size_ = 0;
};

endpoint::endpoint(endpoint_address address)
    : address_(std::move(address)), holders_(std::make_shared<holder_table>()) {}

endpoint::~endpoint() {
    for (auto& pool : pools_) {
        if (pool) {
            net::loop& home = pool->home();
            home.post(*pool.release());
        }
    }
}

std::unique_ptr<pooled_connection> endpoint::take_idle(net::loop& home) noexcept {
    const auto& pool = pools_[home.index()];
    if (!pool) {
        return nullptr;
    }
    for (;;) {
        std::unique_ptr<pooled_connection> connection = pool->take();
        if (!connection || is_quiet(connection->stream)) {
            return connection;
        }
    }
}

void endpoint::give_idle(std::unique_ptr<pooled_connection> connection, base::seconds timeout) noexcept {
    net::loop& home = connection->stream.home();
    CLEARCOAT_ASSERT(home.index() < max_loops);
    if (!is_quiet(connection->stream)) {
        return;
    }
    auto& pool = pools_[home.index()];
    if (!pool) {
        pool = std::make_unique<idle_pool>(home, holders_);
    }
    pool->keep(std::move(connection), timeout);
}

std::size_t endpoint::idle_count(net::loop& home) const noexcept {
    const auto& pool = pools_[home.index()];
    return pool ? pool->size() : 0;
}

net::loop* endpoint::other_holder(const net::loop& home) const noexcept {
    for (const std::atomic<net::loop*>& holder : *holders_) {
        net::loop* const found = holder.load(std::memory_order_relaxed);
        if (found != nullptr && found != &home) {
            return found;
        }
    }
    return nullptr;
}

int endpoint::held_down(base::seconds now) noexcept {
    return now < held_until_.load(std::memory_order_relaxed) ? held_error_.load(std::memory_order_relaxed) : 0;
}

void endpoint::hold_down(base::seconds until, int error) noexcept {
    held_error_.store(error, std::memory_order_relaxed);
    held_until_.store(until, std::memory_order_relaxed);
}

std::shared_ptr<endpoint> endpoint_table::find_or_add(const endpoint_address& address) {
    std::lock_guard lock(mutex_);
    std::erase_if(endpoints_, [](const auto& entry) { return entry.second.expired(); });
    std::weak_ptr<endpoint>& place = endpoints_[address.key()];
    std::shared_ptr<endpoint> found = place.lock();
    if (!found) {
        found = std::make_shared<endpoint>(address);
        place = found;
    }
    return found;
}

} // namespace clearcoat::backend
