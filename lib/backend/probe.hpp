// A backend's probe: a coroutine on one loop that pokes it while its VCL is warm, and the health it publishes. Shared
// between the backend and the coroutine, because the coroutine may outlive the backend by one poke.
#pragma once

#include "backend/endpoint.hpp"
#include "backend/probe_state.hpp"
#include "backend/services.hpp"
#include "net/types.hpp"
#include "vcl/vm/director.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

namespace clearcoat::backend {

class health_probe : public std::enable_shared_from_this<health_probe> {
  public:
    struct target {
        std::string name; // as the log prints it
        std::string host_header;
        std::uint32_t proxy_header = 0;
        std::shared_ptr<endpoint> where;
    };
    health_probe(const vcl::probe_spec& spec, target to, tables::vbe_counters& counters, services& worker);

    /// Any thread, no lock.
    bool healthy() const noexcept { return !sick_.load(std::memory_order_relaxed); }
    base::seconds changed() const noexcept { return changed_.load(std::memory_order_relaxed); }

    // The control thread.
    void start();
    void stop();
    /// The counters die: no poke touches them after this returns.
    void detach();
    /// What director::list gives.
    std::string list(vcl::director::listing form);

  private:
    class start_letter;
    struct attempt;
    static net::task<> run(std::shared_ptr<health_probe> self, net::loop& home, std::uint64_t generation);
    net::task<> poke(net::loop& home, poke_result& result);
    net::task<bool> open(attempt& now);
    net::task<bool> send(attempt& now);
    net::task<> receive(attempt& now);
    void judge(attempt& now) const;
    void reset_and_publish();
    void publish();

    target to_;
    std::string request_;
    services& worker_;
    std::atomic<bool> sick_{false};
    std::atomic<base::seconds> changed_{0};
    std::atomic<std::uint64_t> generation_{0}; // moves when the probe is started or stopped
    std::mutex mutex_;
    probe_state state_;              // guarded by mutex_
    tables::vbe_counters* counters_; // guarded by mutex_; nullptr once detached
};

} // namespace clearcoat::backend
