// Consistent hashing: backends on a ring of 32-bit points, and the walk from a key's place along it. Decisions equal
// the reference's, so that caches of both kinds agree. No locks: the director that owns a ring guards it.
#pragma once

#include "vcl/vm/director.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace clearcoat::vmod::directors {

struct shard_member {
    vcl::director* backend;
    std::string ident;                   // empty: the backend's name
    std::optional<base::seconds> rampup; // unset: the director's
    std::uint32_t replicas = 0;

    const std::string& label() const noexcept { return ident.empty() ? backend->name() : ident; }
};

/// One step of a reconfiguration.
struct shard_change {
    enum class kind : std::uint8_t { clear, add, remove };
    kind what;
    vcl::director* backend = nullptr;
    std::string ident;
    std::optional<base::seconds> rampup;
    double weight = 1;
};

/// Whether unhealthy backends are passed over: for the one chosen, for none, also for those skipped on the way.
enum class shard_health : std::uint8_t { chosen, ignore, all };

struct shard_choice {
    std::uint32_t key = 0;
    std::int64_t alternative = 0;
    double warmup = -1; // negative: the director's
    bool rampup = true;
    shard_health healthy = shard_health::chosen;
};

class shard_ring {
  public:
    const std::vector<shard_member>& members() const noexcept { return members_; }

    /// Carries out the changes and places the members anew, each `replicas` times its weight. `existing` is told each
    /// member that was to be added twice. false: no member is left.
    bool apply(const std::vector<shard_change>& changes, std::int64_t replicas,
               const std::function<void(const shard_member&)>& existing);

    /// The backend for a key; nullptr when none can be used. `warmup` and `rampup` are the director's own. Not for an
    /// empty ring; the alternative must be less than the number of members.
    vcl::director* pick(vcl::host& task, const shard_choice& choice, double warmup, base::seconds rampup) const;

  private:
    friend class ring_walk;

    struct point {
        std::uint32_t place;
        std::uint32_t member;
    };

    std::size_t point_for(std::uint32_t key) const noexcept;
    base::seconds rampup_of(std::size_t member, base::seconds common) const noexcept {
        return members_[member].rampup.value_or(common);
    }
    void place_members();

    std::vector<shard_member> members_;
    std::vector<point> points_; // sorted by place
};

} // namespace clearcoat::vmod::directors
