// The backends of a director with their weights: what round_robin, fallback, random and hash have in common. Used by
// all loops and the control thread at once; a reader-writer lock guards the list. Health is asked anew for each
// decision.
#pragma once

#include "vcl/vm/director.hpp"

#include <cstddef>
#include <functional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::vmod::directors {

struct member {
    vcl::director* backend;
    double weight;
};

class member_list {
  public:
    void add(vcl::director& backend, double weight);

    static constexpr std::size_t absent = static_cast<std::size_t>(-1);
    /// Removes the first entry of that backend. The position it had, or absent.
    std::size_t remove(const vcl::director& backend);

    /// Runs `choose` with the members while they cannot change.
    template<class Choose>
    auto with(Choose choose) const {
        std::shared_lock hold(mutex_);
        return choose(members_);
    }

    /// Healthy when one is; changed when the latest of those asked changed.
    vcl::director::health any_healthy(vcl::host* task) const;

    /// A healthy backend, `point` (0 <= point < 1) along the line of the healthy ones' weights; nullptr when they weigh
    /// nothing.
    vcl::director* pick(vcl::host& task, double point) const;

  private:
    mutable std::shared_mutex mutex_;
    std::vector<member> members_; // guarded by mutex_
};

/// What backend.list shows of a director with members, in any of its forms.
class member_listing {
  public:
    /// `column` heads the middle column ("Weight"); `cell` gives its text ("\t*\t" with the tabs around it), `field`
    /// the line of JSON for a member with its comma and line end, or nothing.
    struct style {
        std::string_view column;
        std::function<std::string(std::size_t index, const member&, bool healthy, double total)> cell;
        std::function<std::string(std::size_t index, const member&, bool healthy)> field;
        std::function<std::string(double total)> head; // lines of JSON before "backends"
    };
    /// Also notes in `self` when a member's health changed last.
    static std::string list(vcl::director& self, const member_list& members, vcl::director::listing form,
                            const style& s);
};

/// "1/2\thealthy" or "[1, 2, \"healthy\"]".
std::string health_summary(std::size_t healthy, std::size_t all, bool json);

} // namespace clearcoat::vmod::directors
