// The last 2,000 values of a profile, hits and misses apart, in a hundred buckets for each power of ten. No drawing.
// One thread at a time.
#pragma once

#include "logread/transaction.hpp"
#include "profile.hpp"

#include <optional>
#include <vector>

namespace clearcoat::varnishhist {

class histogram {
  public:
    explicit histogram(const profile& p);

    /// Takes the group's values. Restarted and retried transactions count where they end well.
    void add(logread::group g);

    const profile& shown() const noexcept { return profile_; }
    std::size_t values() const noexcept { return last_.size(); }
    /// The time of the latest record seen with a value, as the log has it; 0: none.
    double latest() const noexcept { return latest_; }

    struct column {
        unsigned misses = 0;
        unsigned hits = 0;
    };
    /// The counts in `count` columns of equal width.
    std::vector<column> columns(std::size_t count) const;

  private:
    struct value {
        std::size_t bucket;
        bool hit;
    };
    std::optional<double> value_of(std::string_view text) const;
    bool read(const logread::transaction& t, double& number, bool& hit, double& time) const;

    profile profile_;
    std::vector<column> buckets_;
    std::vector<value> last_; // a ring
    std::size_t oldest_ = 0;
    double latest_ = 0;
};

} // namespace clearcoat::varnishhist
