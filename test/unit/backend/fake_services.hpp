// The worker as backends see it, in a test: counters on the heap, a log to read, parameters at their defaults.
#pragma once

#include "backend/services.hpp"

#include <atomic>
#include <list>
#include <mutex>
#include <string>
#include <vector>

namespace clearcoat::test {

class fake_services final : public backend::services {
  public:
    explicit fake_services(net::loop* probes = nullptr) : probes_(probes) {}

    struct segment {
        std::string name;
        bool visible = false;
        tables::vbe_counters counters;
    };
    std::list<segment> segments;
    std::atomic<int> backends = 0;

    std::vector<std::string> logged() {
        std::lock_guard lock(mutex_);
        return log_;
    }

    const tables::param_block& params() const noexcept override { return tables::default_params(); }
    const base::clock& clock() const noexcept override { return base::system_clock(); }
    void log(log_tag, std::string_view text) noexcept override {
        std::lock_guard lock(mutex_);
        log_.emplace_back(text);
    }
    net::loop& probe_loop() noexcept override { return *probes_; }
    tables::vbe_counters* add_counters(std::string_view name) override {
        std::lock_guard lock(mutex_);
        segments.push_back({std::string(name), false, {}});
        return &segments.back().counters;
    }
    void show_counters(tables::vbe_counters& c, bool visible) noexcept override {
        std::lock_guard lock(mutex_);
        for (segment& s : segments) {
            s.visible = &s.counters == &c ? visible : s.visible;
        }
    }
    void remove_counters(tables::vbe_counters& c) noexcept override {
        std::lock_guard lock(mutex_);
        std::erase_if(segments, [&c](const segment& s) { return &s.counters == &c; });
    }
    void count_backends(int change) noexcept override { backends += change; }
    const vcl::storage_handle* storage(std::string_view) const noexcept override { return nullptr; }
    std::string_view identity() const noexcept override { return "test"; }
    std::string_view hostname() const noexcept override { return "host.test"; }
    void listen(vcl::object_listener&) override {}
    void unlisten(vcl::object_listener&) noexcept override {}
    void use_surrogate_keys(int) noexcept override {}

  private:
    net::loop* probes_;
    std::mutex mutex_;
    std::vector<std::string> log_;
};

} // namespace clearcoat::test
