// What backend.list shows of a shard director.
#include "vmod/directors/shard_director.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace clearcoat::vmod::directors {

struct shard_director::row {
    std::string backend;
    std::string ident;
    bool healthy;
    double progress;         // of the ramp, 0 to 1
    base::seconds remaining; // until its end
    base::seconds changed;
};

std::vector<shard_director::row> shard_director::rows() const {
    std::vector<row> all;
    const base::seconds now = base::system_clock().real();
    std::shared_lock hold(mutex_);
    for (const shard_member& m : ring_.members()) {
        const health h = m.backend->effective_state(nullptr);
        row r{m.backend->name(), m.label(), h.healthy, 0, 0, h.changed};
        if (h.healthy) {
            const base::seconds ramp = m.rampup.value_or(rampup_.load(std::memory_order_relaxed));
            const base::seconds up = now - h.changed;
            r.progress = up < ramp ? up / ramp : 1;
            r.remaining = up < ramp ? ramp - up : 0;
        }
        all.push_back(std::move(r));
    }
    return all;
}

std::string shard_director::details(const std::vector<row>& all) const {
    std::string text = "\n\n\tBackend\tIdent\tHealth\tRampup  Remaining\n";
    for (const row& r : all) {
        text += fmt::format("\t{}\t{}\t{}\t{:6.2f}% {:8.3f}s\n", r.backend, r.ident, r.healthy ? "healthy" : "sick",
                            r.progress * 100, r.remaining);
    }
    return text;
}

std::string shard_director::json_details(const std::vector<row>& all) const {
    std::string text = fmt::format("{{\n  \"warmup\": {:f},\n  \"rampup_duration\": {:f},\n  \"backends\": {{\n",
                                   warmup_.load(std::memory_order_relaxed), rampup_.load(std::memory_order_relaxed));
    for (const row& r : all) {
        text += fmt::format("{}    \"{}\": {{\n      \"ident\": \"{}\",\n      \"health\": \"{}\",\n"
                            "      \"rampup\": {:f},\n      \"rampup_remaining\": {:.3f}\n    }}",
                            &r == all.data() ? "" : ",\n", r.backend, r.ident, r.healthy ? "healthy" : "sick",
                            r.progress, r.remaining);
    }
    return text + "\n  }\n},\n";
}

std::string shard_director::list(listing form) {
    const std::vector<row> all = rows();
    for (const row& r : all) {
        note_change(r.changed);
    }
    const auto healthy =
        static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const row& r) { return r.healthy; }));
    switch (form) {
    case listing::details:
        return details(all);
    case listing::json_details:
        return json_details(all);
    case listing::json:
        return fmt::format("[{}, {}, \"{}\"]", healthy, all.size(), healthy > 0 ? "healthy" : "sick");
    case listing::row:
        break;
    }
    return fmt::format("{}/{}\t{}", healthy, all.size(), healthy > 0 ? "healthy" : "sick");
}

} // namespace clearcoat::vmod::directors
