#include "vmod/dynamic/domain.hpp"

#include "tables/log_tags.hpp"
#include "vmod/support/helper_threads.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include <fmt/core.h>
#include <netdb.h>
#include <netinet/in.h>

namespace clearcoat::vmod::dynamic {

namespace {

constexpr base::seconds retry_after_failure = 5;

/// Wakes requests that waited long enough; a job sleeps until then.
helper_lane& patience_lane() {
    static helper_lane& lane = *new helper_lane(8, 1000);
    return lane;
}

base::ip_address address_of(const addrinfo& info) noexcept {
    base::ip_address out;
    if (info.ai_family == AF_INET6) {
        sockaddr_in6 in;
        std::memcpy(&in, info.ai_addr, sizeof in);
        out.kind = base::ip_address::family::v6;
        std::memcpy(out.bytes.data(), &in.sin6_addr, 16);
        out.port = ntohs(in.sin6_port);
    } else {
        sockaddr_in in;
        std::memcpy(&in, info.ai_addr, sizeof in);
        std::memcpy(out.bytes.data(), &in.sin_addr, 4);
        out.port = ntohs(in.sin_port);
    }
    return out;
}

} // namespace

domain::domain(std::string host, std::string port, std::shared_ptr<const settings> how,
               std::shared_ptr<backend_store> store)
    : vcl::director(fmt::format("{}({}:{})", how->name, host, port)), host_(std::move(host)), port_(std::move(port)),
      how_(std::move(how)), store_(std::move(store)) {}

void domain::refresh(base::seconds now) {
    {
        std::lock_guard hold(mutex_);
        if (looking_ || now < next_lookup_) {
            return;
        }
        looking_ = true;
    }
    if (!blocking_lane().run([self = shared_from_this()] { self->look_up(); })) {
        std::lock_guard hold(mutex_);
        looking_ = false; // too much waits already: the next request tries again
    }
}

void domain::look_up() {
    std::string error;
    const std::vector<base::ip_address> addresses = ask(error);
    take(addresses, error);
    become_ready();
}

bool domain::ready() {
    std::lock_guard hold(mutex_);
    return ready_;
}

void domain::wait(std::shared_ptr<vcl::wakeup> waker) {
    bool count = false;
    {
        std::unique_lock hold(mutex_);
        if (ready_) {
            hold.unlock();
            return waker->wake();
        }
        waiting_.push_back(std::move(waker));
        count = !std::exchange(patience_counted_, true);
    }
    if (count) {
        patience_lane().run([self = shared_from_this()] {
            const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(self->how_->patience);
            while (!self->ready() && std::chrono::steady_clock::now() < end) {
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
            if (!self->ready()) {
                self->report("first lookup", "took too long");
                self->become_ready();
            }
        });
    }
}

void domain::become_ready() {
    std::vector<std::shared_ptr<vcl::wakeup>> woken;
    {
        std::lock_guard hold(mutex_);
        ready_ = true;
        woken.swap(waiting_);
    }
    for (const auto& waker : woken) {
        waker->wake();
    }
}

std::vector<base::ip_address> domain::ask(std::string& error) const {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    std::vector<base::ip_address> out;
    if (const int failed = ::getaddrinfo(host_.c_str(), port_.c_str(), &hints, &found); failed != 0) {
        error = fmt::format("getaddrinfo {} ({})", failed, ::gai_strerror(failed));
        return out;
    }
    for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
        if (each->ai_family == AF_INET || each->ai_family == AF_INET6) {
            out.push_back(address_of(*each));
        }
    }
    ::freeaddrinfo(found);
    return out;
}

void domain::report(std::string_view event, std::string_view detail) const {
    std::lock_guard hold(store_->mutex);
    if (store_->surroundings != nullptr) {
        store_->surroundings->log_record(
            log_tag::Error, fmt::format("vmod-dynamic: {} {}:{} {} {}", how_->name, host_, port_, event, detail));
    }
}

// A failure leaves the backends as they were.
void domain::take(const std::vector<base::ip_address>& addresses, const std::string& error) {
    std::vector<vcl::director*> fresh;
    for (const base::ip_address& address : addresses) {
        if (how_->allowed != nullptr && !how_->allowed->match(address)) {
            report("whitelist mismatch", base::to_string(address));
            continue;
        }
        std::lock_guard hold(store_->mutex);
        if (store_->surroundings == nullptr) {
            return;
        }
        if (vcl::director* const found = backend_for(address, *store_->surroundings)) {
            fresh.push_back(found);
        }
    }
    if (fresh.empty()) {
        report("lookup failed:", error.empty() ? "no address may be used" : error);
    }
    const base::seconds now = base::system_clock().real();
    std::lock_guard hold(mutex_);
    looking_ = false;
    next_lookup_ = now + (fresh.empty() ? std::min(how_->ttl, retry_after_failure) : how_->ttl);
    if (!fresh.empty()) {
        active_ = std::move(fresh);
    }
}

// Backends stay until the VCL goes, since fetches may use them; an address that comes back finds its own again. nullptr
// when the VCL has gone cold.
vcl::director* domain::backend_for(const base::ip_address& address, vcl::environment& surroundings) {
    vcl::backend_spec spec = how_->pattern;
    const std::string text = base::to_string(address);
    spec.name = how_->share_by_host ? fmt::format("{}({}.{}:{})", how_->name, host_, text, port_)
                                    : fmt::format("{}({}:{})", how_->name, text, port_);
    vcl::director*& kept = store_->backends[spec.name];
    if (kept == nullptr) {
        spec.host = text;
        spec.port = fmt::format("{}", address.port);
        (address.kind == base::ip_address::family::v4 ? spec.ipv4 : spec.ipv6) = address;
        spec.host_header = !how_->host_header.empty() ? how_->host_header : host_;
        spec.probe = how_->probe;
        kept = surroundings.add_backend_unless_cold(spec);
    }
    return kept;
}

std::vector<vcl::director*> domain::active() {
    std::lock_guard hold(mutex_);
    return active_;
}

vcl::director::health domain::state(vcl::host* task) noexcept {
    health out{false, 0};
    for (vcl::director* d : active()) {
        const health one = d->effective_state(task);
        out.healthy = out.healthy || one.healthy;
        out.changed = std::max(out.changed, one.changed);
    }
    return out;
}

vcl::director* domain::resolve(vcl::host& task) noexcept {
    const std::vector<vcl::director*> all = active();
    const unsigned first = turn_.fetch_add(1, std::memory_order_relaxed);
    for (std::size_t i = 0; i < all.size(); ++i) {
        vcl::director* const d = all[(first + i) % all.size()];
        if (d->effective_state(&task).healthy) {
            return d->resolve(task);
        }
    }
    return nullptr;
}

std::string domain::list(listing form) {
    std::size_t healthy = 0;
    const std::vector<vcl::director*> all = active();
    for (vcl::director* d : all) {
        healthy += d->effective_state(nullptr).healthy ? 1 : 0;
    }
    const std::string_view word = healthy > 0 ? "healthy" : "sick";
    switch (form) {
    case listing::row:
        return fmt::format("{}/{}\t{}", healthy, all.size(), word);
    case listing::json:
        return fmt::format("[{}, {}, \"{}\"]", healthy, all.size(), word);
    case listing::details: {
        std::string out = "\n\n\tBackend\tHealth\n";
        for (vcl::director* d : all) {
            out += fmt::format("\t{}\t{}\n", d->name(), d->effective_state(nullptr).healthy ? "healthy" : "sick");
        }
        return out;
    }
    case listing::json_details:
        break;
    }
    std::string rows;
    for (vcl::director* d : all) {
        rows += fmt::format("{}    \"{}\": \"{}\"", rows.empty() ? "" : ",\n", d->name(),
                            d->effective_state(nullptr).healthy ? "healthy" : "sick");
    }
    return fmt::format("{{\n{}\n  }},\n", rows);
}

} // namespace clearcoat::vmod::dynamic
