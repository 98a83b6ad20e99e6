// The lurker's plan: which objects it tests against which bans in one pass over the list. Owned by the housekeeping
// thread; the ban list runs it a batch at a time.
#pragma once

#include "cache/ban_list.hpp"

#include <cstddef>
#include <vector>

namespace clearcoat::cache {

struct ban_list::pass {
    struct step {
        ban* at;          // objects that have passed this one ...
        ban* target;      // ... go there when they pass
        std::size_t bans; // the first so many of `bans`
        bool kill;        // beyond ban_cutoff: they go untested
    };
    std::vector<ban*> bans; // that look only at objects and are old enough, newest first
    std::vector<step> steps;
    std::size_t next_step = 0;
    double next_pass = 0; // seconds
};

} // namespace clearcoat::cache
