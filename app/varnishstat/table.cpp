#include "table.hpp"

#include <unordered_map>

namespace clearcoat::varnishstat {

bool counter_table::refresh() {
    if (!counters_.refresh()) {
        return false;
    }
    std::unordered_map<std::string, std::list<table_row>::iterator> known;
    for (auto row = rows_.begin(); row != rows_.end(); ++row) {
        known.emplace(row->name, row);
    }
    std::list<table_row> now;
    for (const logread::counter* c : counters_.all()) {
        const auto found = known.find(c->name);
        if (found != known.end() && found->second->source == c) {
            now.splice(now.end(), rows_, found->second);
        } else {
            now.push_back({c, c->name, false, 0, 0, false, 0, 0, {}});
        }
    }
    rows_ = std::move(now);
    manager_uptime_ = counters_.find("MGT.uptime");
    worker_uptime_ = counters_.find("MAIN.uptime");
    hits_ = counters_.find("MAIN.cache_hit");
    misses_ = counters_.find("MAIN.cache_miss");
    return true;
}

bool counter_table::sample(double now, bool raw) {
    bool first_seen = false;
    for (table_row& row : rows_) {
        const std::uint64_t value = row.source->value(raw);
        if (value == 0 && !row.seen) {
            continue;
        }
        first_seen = first_seen || !row.seen;
        row.seen = true;
        sample_row(row, value, now);
    }
    sample_hit_rate();
    return first_seen;
}

void counter_table::sample_row(table_row& row, std::uint64_t value, double now) const noexcept {
    row.moved = row.sampled > 0 && now > row.sampled;
    if (row.moved) {
        // The difference of words that wrap is right as a signed number.
        row.change = static_cast<double>(static_cast<std::int64_t>(value - row.current)) / (now - row.sampled);
    }
    row.current = value;
    row.sampled = now;
    if (row.source->semantics == 'g') {
        row.recent.add(static_cast<double>(static_cast<std::int64_t>(value)));
    } else if (row.source->semantics == 'c') {
        const std::uint64_t up = worker_uptime();
        row.average = up == 0 ? 0 : static_cast<double>(value) / static_cast<double>(up);
        if (row.moved) {
            row.recent.add(row.change);
        }
    }
}

void counter_table::restart_hit_rate() noexcept {
    hit_rate_ = {};
    last_hits_ = value_of(hits_);
    last_misses_ = value_of(misses_);
}

void counter_table::restart_averages() noexcept {
    for (table_row& row : rows_) {
        row.recent = {};
    }
    hit_rate_ = {};
}

void counter_table::sample_hit_rate() noexcept {
    if (hits_ == nullptr || misses_ == nullptr) {
        return;
    }
    const auto hits = static_cast<double>(static_cast<std::int64_t>(hits_->value(false) - last_hits_));
    const auto misses = static_cast<double>(static_cast<std::int64_t>(misses_->value(false) - last_misses_));
    last_hits_ = hits_->value(false);
    last_misses_ = misses_->value(false);
    hit_rate_.add(hits + misses != 0 ? hits / (hits + misses) : 0);
}

} // namespace clearcoat::varnishstat
