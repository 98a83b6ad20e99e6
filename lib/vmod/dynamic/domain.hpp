// One host and port of a dynamic director: the director that fetches use, over the backends that name resolution gave.
// Lookups run on helper threads, one at a time; requests and lookups meet under the mutex.
#pragma once

#include "vcl/vm/director.hpp"
#include "vcl/vm/host.hpp"
#include "vmod/dynamic/settings.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace clearcoat::vmod::dynamic {

class domain final : public vcl::director, public std::enable_shared_from_this<domain> {
  public:
    domain(std::string host, std::string port, std::shared_ptr<const settings> how,
           std::shared_ptr<backend_store> store);

    /// Starts a lookup when the last one is older than the ttl and none runs.
    void refresh(base::seconds now);
    /// Looks up now and waits for it; where a task cannot wait.
    void look_up();
    /// Whether requests need not wait: something is known, or the first lookup failed or took too long.
    bool ready();
    /// `waker` is woken when ready() holds.
    void wait(std::shared_ptr<vcl::wakeup> waker);

    // vcl::director
    health state(vcl::host* task) noexcept override;
    vcl::director* resolve(vcl::host& task) noexcept override;
    std::string list(listing form) override;
    std::string_view kind() const noexcept override { return "dynamic"; }

  private:
    std::vector<base::ip_address> ask(std::string& error) const;
    void take(const std::vector<base::ip_address>& addresses, const std::string& error);
    vcl::director* backend_for(const base::ip_address& address, vcl::environment& surroundings);
    void report(std::string_view event, std::string_view detail) const;
    void become_ready();
    std::vector<vcl::director*> active();

    const std::string host_;
    const std::string port_;
    const std::shared_ptr<const settings> how_;
    const std::shared_ptr<backend_store> store_;
    std::atomic<unsigned> turn_{0};

    std::mutex mutex_;
    std::vector<vcl::director*> active_; // guarded by mutex_, as what follows
    std::vector<std::shared_ptr<vcl::wakeup>> waiting_;
    base::seconds next_lookup_ = 0;
    bool looking_ = false;
    bool ready_ = false;
    bool patience_counted_ = false;
};

} // namespace clearcoat::vmod::dynamic
