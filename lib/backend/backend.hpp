// A concrete backend: the end of every director's choice. It lives as long as the VCL that declared it; fetches on any
// loop use it at once, so what changes is atomic. It decides nothing about requests and does no I/O; see pool.hpp.
#pragma once

#include "backend/endpoint.hpp"
#include "backend/services.hpp"
#include "backend/slot_queue.hpp"
#include "vcl/vm/director.hpp"
#include "vcl/vm/environment.hpp"

#include <atomic>
#include <memory>
#include <string>

namespace clearcoat::backend {

class health_probe;

class backend final : public vcl::director {
  public:
    /// `vcl_name` is the name of the loaded VCL; the counters come from `worker`, which outlives it.
    backend(std::string_view vcl_name, const vcl::backend_spec& spec, std::shared_ptr<endpoint> where,
            services& worker);
    ~backend() override;

    // vcl::director
    health state(vcl::host* task) noexcept override;
    vcl::director* resolve(vcl::host&) noexcept override { return this; }
    bool concrete() const noexcept override { return true; }
    std::string list(listing form) override;
    std::string_view kind() const noexcept override { return "backend"; }

    /// "vclname.name", as counters and backend.list print it; the log prints name().
    const std::string& display_name() const noexcept { return display_name_; }
    const vcl::backend_spec& spec() const noexcept { return spec_; }
    /// What to send as Host when the request has none: the host_header attribute, the host as written, or the address.
    const std::string& host_header() const noexcept { return host_header_; }
    endpoint& where() noexcept { return *endpoint_; }
    const std::shared_ptr<endpoint>& shared_endpoint() const noexcept { return endpoint_; }
    tables::vbe_counters& counters() noexcept { return *counters_; }
    services& worker() noexcept { return worker_; }
    bool probed() const noexcept override { return probe_ != nullptr; }

    /// Timeouts: the task's own value when set (> 0), else the backend's, else `parameter`.
    static base::seconds pick_timeout(base::seconds task, const std::optional<base::seconds>& own,
                                      base::seconds parameter) noexcept;

    // Connections in use or being made, for max_connections.
    /// False when the limit is reached; otherwise release_slot() must follow.
    bool take_slot() noexcept;
    void release_slot() noexcept;
    /// For tasks that wait for a slot; those granted there must be released, too.
    bool wait_for_slot(slot_queue::waiter& w, std::size_t limit);
    void stop_waiting(slot_queue::waiter& w) noexcept { queue_.leave(w); }
    unsigned connections() const noexcept { return in_use_.load(std::memory_order_relaxed); }

    // The control thread.
    /// Starts the probe and shows the counters.
    void warm();
    /// Stops the probe and hides the counters.
    void cool();

  private:
    std::string display_name_;
    vcl::backend_spec spec_;
    std::string host_header_;
    std::shared_ptr<endpoint> endpoint_;
    services& worker_;
    tables::vbe_counters* counters_;
    std::shared_ptr<health_probe> probe_; // nullptr: none
    std::atomic<unsigned> in_use_{0};
    slot_queue queue_;
};

/// Counts a failed connect by its errno; 0 means that it was not tried because of a holddown.
void count_connect_error(tables::vbe_counters& counters, int error) noexcept;

} // namespace clearcoat::backend
