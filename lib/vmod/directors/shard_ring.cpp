#include "vmod/directors/shard_ring.hpp"

#include "base/testable_random.hpp"
#include "vcl/vm/host.hpp"
#include "vmod/directors/hash32.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace clearcoat::vmod::directors {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

bool same_member(const shard_change& change, const shard_member& m) {
    if (change.ident.empty() && m.ident.empty()) {
        return change.backend == m.backend;
    }
    return (change.ident.empty() ? change.backend->name() : change.ident) == m.label();
}

bool to_be_removed(const shard_change& change, const shard_member& m) {
    return change.ident.empty() ? change.backend == m.backend : same_member(change, m);
}

std::uint32_t scaled(std::int64_t replicas, double weight) {
    constexpr double most = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(std::min(static_cast<double>(replicas) * weight, most));
}

/// Which members a walk has seen. Allocates only for more than 256.
class seen_set {
  public:
    explicit seen_set(std::size_t size) : many_(size > few_.size() * 64 ? (size + 63) / 64 : 0) {}

    /// false: it was there already.
    bool insert(std::size_t i) noexcept {
        std::uint64_t& word = many_.empty() ? few_[i / 64] : many_[i / 64];
        const std::uint64_t bit = std::uint64_t(1) << i % 64;
        const bool fresh = (word & bit) == 0;
        word |= bit;
        return fresh;
    }

  private:
    std::array<std::uint64_t, 4> few_{};
    std::vector<std::uint64_t> many_;
};

} // namespace

/// Goes round a ring from a key's place and meets each member once.
class ring_walk {
  public:
    ring_walk(const shard_ring& ring, vcl::host& task, std::size_t start)
        : ring_(ring), task_(task), at_(start), seen_(ring.members_.size()) {}

    struct found {
        std::size_t member = none;
        base::seconds changed = 0;
    };
    found last;     // what the last next() chose
    found previous; // what was chosen, or healthy but skipped, before it

    /// Goes past `skip` members and chooses the next; false at the end. With `healthy` only healthy ones count.
    bool next(std::int64_t skip, bool healthy) {
        while (met_ < ring_.members_.size()) {
            const std::size_t member = ring_.points_[at_].member;
            if (seen_.insert(member)) {
                ++met_;
                if (meet(member, skip, healthy)) {
                    return true;
                }
            }
            at_ = at_ + 1 == ring_.points_.size() ? 0 : at_ + 1;
        }
        return false;
    }

  private:
    bool meet(std::size_t member, std::int64_t& skip, bool healthy) {
        const vcl::director::health h = ring_.members_[member].backend->effective_state(&task_);
        if (!h.healthy && healthy) {
            return false;
        }
        if (skip-- == 0) {
            previous = last.member == none ? previous : last;
            last = {member, h.changed};
            return true;
        }
        if (h.healthy) {
            previous = {member, h.changed};
        }
        return false;
    }

    const shard_ring& ring_;
    vcl::host& task_;
    std::size_t at_;
    seen_set seen_;
    std::size_t met_ = 0;
};

bool shard_ring::apply(const std::vector<shard_change>& changes, std::int64_t replicas,
                       const std::function<void(const shard_member&)>& existing) {
    auto from = changes.begin();
    for (auto it = changes.begin(); it != changes.end(); ++it) {
        if (it->what == shard_change::kind::clear) {
            members_.clear();
            from = it + 1;
        }
    }
    for (auto it = from; it != changes.end(); ++it) {
        if (it->what == shard_change::kind::remove) {
            std::erase_if(members_, [&](const shard_member& m) { return to_be_removed(*it, m); });
            continue;
        }
        const auto there =
            std::find_if(members_.begin(), members_.end(), [&](const shard_member& m) { return same_member(*it, m); });
        if (there != members_.end()) {
            existing(*there);
        } else {
            members_.push_back({it->backend, it->ident, it->rampup, scaled(replicas, it->weight)});
        }
    }
    place_members();
    return !members_.empty();
}

void shard_ring::place_members() {
    points_.clear();
    if (members_.empty()) {
        return;
    }
    const auto most = static_cast<std::uint32_t>((std::numeric_limits<std::uint32_t>::max() - 1) / members_.size());
    for (std::uint32_t m = 0; m < members_.size(); ++m) {
        const std::uint32_t copies = std::min(members_[m].replicas, most);
        for (std::uint32_t i = 0; i < copies; ++i) {
            points_.push_back({hash32({members_[m].label(), std::to_string(i)}), m});
        }
    }
    std::stable_sort(points_.begin(), points_.end(), [](const point& a, const point& b) { return a.place < b.place; });
}

std::size_t shard_ring::point_for(std::uint32_t key) const noexcept {
    // Two things here are the reference's and kept, so that both choose the same: past the last point there is no way
    // round to the first, and of only two points it is always the second.
    if (points_.size() == 2) {
        return 1;
    }
    const auto found = std::lower_bound(points_.begin(), points_.end(), key,
                                        [](const point& p, std::uint32_t k) { return p.place < k; });
    return std::min(static_cast<std::size_t>(found - points_.begin()), points_.size() - 1);
}

vcl::director* shard_ring::pick(vcl::host& task, const shard_choice& choice, double warmup,
                                base::seconds rampup) const {
    ring_walk walk(*this, task, point_for(choice.key));
    const bool ignores = choice.healthy == shard_health::ignore;
    const bool got =
        (choice.alternative <= 0 || walk.next(choice.alternative - 1, choice.healthy == shard_health::all)) &&
        walk.next(0, !ignores);
    if (!got) {
        return walk.previous.member == none ? nullptr : members_[walk.previous.member].backend;
    }
    vcl::director* chosen = members_[walk.last.member].backend;
    warmup = choice.warmup == -1 ? warmup : choice.warmup;
    if (choice.alternative > 0 || ignores || (!choice.rampup && warmup == 0) || !walk.next(0, true)) {
        return chosen;
    }
    vcl::director* alternative = members_[walk.last.member].backend;
    const base::seconds ramp = rampup_of(walk.previous.member, rampup);
    const base::seconds up = task.now() - walk.previous.changed;
    if (up < ramp) {
        const bool other_ramps = task.now() - walk.last.changed < rampup_of(walk.last.member, rampup);
        const bool stay = !choice.rampup || other_ramps || base::testable_random_real() * ramp < up;
        return stay ? chosen : alternative;
    }
    return warmup == 0 || base::testable_random_real() > warmup ? chosen : alternative;
}

} // namespace clearcoat::vmod::directors
