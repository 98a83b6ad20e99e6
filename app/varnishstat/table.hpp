// The rows of varnishstat's screen: what each counter is now, how fast it moves, and its averages. No drawing, no
// clock.
#pragma once

#include "logread/counters.hpp"

#include <cstdint>
#include <list>
#include <string>
#include <vector>

namespace clearcoat::varnishstat {

/// A mean over the last `most` values, roughly: older ones fade.
struct fading_mean {
    unsigned most;
    unsigned count = 0;
    double mean = 0;

    void add(double value) noexcept {
        count += count < most ? 1 : 0;
        mean += (value - mean) / count;
    }
};

struct means {
    fading_mean ten{10};
    fading_mean hundred{100};
    fading_mean thousand{1000};

    void add(double value) noexcept {
        ten.add(value);
        hundred.add(value);
        thousand.add(value);
    }
};

struct table_row {
    const logread::counter* source; // valid until the list changes
    std::string name;
    bool seen = false; // was not zero once
    std::uint64_t current = 0;
    double sampled = 0; // when; 0: never
    bool moved = false; // there are two samples
    double change = 0;  // a second
    double average = 0; // a second, since the worker started
    means recent;
};

class counter_table {
  public:
    explicit counter_table(logread::counter_list& counters) : counters_(counters) {}

    /// Follows the list of counters; true when rows came or went.
    bool refresh();
    /// True when a counter is seen for the first time. `now` in seconds, growing.
    bool sample(double now, bool raw);
    /// Begins the hit rate anew, as for a new worker.
    void restart_hit_rate() noexcept;
    /// The averages over the last samples, and that of the hit rate, know nothing of what came before.
    void restart_averages() noexcept;

    const std::list<table_row>& rows() const noexcept { return rows_; }
    const means& hit_rate() const noexcept { return hit_rate_; }
    std::uint64_t manager_uptime() const noexcept { return value_of(manager_uptime_); }
    std::uint64_t worker_uptime() const noexcept { return value_of(worker_uptime_); }

  private:
    static std::uint64_t value_of(const logread::counter* c) noexcept { return c == nullptr ? 0 : c->value(false); }
    void sample_row(table_row& row, std::uint64_t value, double now) const noexcept;
    void sample_hit_rate() noexcept;

    logread::counter_list& counters_;
    std::list<table_row> rows_;
    const logread::counter* manager_uptime_ = nullptr;
    const logread::counter* worker_uptime_ = nullptr;
    const logread::counter* hits_ = nullptr;
    const logread::counter* misses_ = nullptr;
    std::uint64_t last_hits_ = 0;
    std::uint64_t last_misses_ = 0;
    means hit_rate_;
};

} // namespace clearcoat::varnishstat
