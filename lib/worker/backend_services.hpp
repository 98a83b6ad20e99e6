// What backends get from the worker: counters in shared memory, the log, loops to probe on.
#pragma once

#include "backend/services.hpp"
#include "base/counted_mutex.hpp"
#include "worker/loop_runner.hpp"
#include "worker/shared_state.hpp"

#include <atomic>
#include <list>
#include <memory>
#include <span>
#include <vector>

namespace clearcoat::worker {

class backend_services final : public backend::services {
  public:
    backend_services(shared_state& shared, const std::vector<std::unique_ptr<loop_runner>>& loops) noexcept
        : shared_(shared), loops_(loops) {}

    const tables::param_block& params() const noexcept override { return shared_.params; }
    const base::clock& clock() const noexcept override { return base::system_clock(); }
    void log(log_tag tag, std::string_view text) noexcept override { shared_.log.write_now(tag, text); }
    net::loop& probe_loop() noexcept override;
    tables::vbe_counters* add_counters(std::string_view name) override;
    void show_counters(tables::vbe_counters& counters, bool visible) noexcept override;
    void remove_counters(tables::vbe_counters& counters) noexcept override;
    void count_backends(int change) noexcept override;
    const vcl::storage_handle* storage(std::string_view name) const noexcept override {
        return shared_.storage_names.find(name);
    }
    std::string_view identity() const noexcept override { return shared_.boot.identity; }
    std::string_view hostname() const noexcept override { return shared_.hostname; }
    void listen(vcl::object_listener& listener) override { shared_.events.add(listener); }
    void unlisten(vcl::object_listener& listener) noexcept override { shared_.events.remove(listener); }
    void use_surrogate_keys(int change) noexcept override { shared_.cache.keys().count_users(change); }

    base::lock_totals locks() const noexcept { return mutex_.totals(); }

  private:
    using segment = shm::counter_segment<tables::vbe_counters>;

    shared_state& shared_;
    const std::vector<std::unique_ptr<loop_runner>>& loops_;
    std::atomic<unsigned> turn_{0};
    base::counted_mutex mutex_;
    std::list<segment> segments_ GUARDED_BY(mutex_);
};

} // namespace clearcoat::worker
