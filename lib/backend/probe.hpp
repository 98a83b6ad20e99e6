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
        std::string display_name;
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
    static net::task<> run(std::shared_ptr<health_probe> self, net::loop& home, std::uint64_t generation);
    net::task<poke_result> poke(net::loop& home);
    net::task<bool> send(net::stream& to, base::ip_address local, base::seconds deadline, poke_result& result);
    net::task<> receive(net::stream& from, base::seconds started, base::seconds deadline, poke_result& result);
    void publish(const poke_result* poke);

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
