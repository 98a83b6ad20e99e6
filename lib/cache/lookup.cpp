// index::lookup(): what is found under a key, and what a request is to do about it. The order of the tests is the
// reference's: it shows in what is hit, banned and waited for.
#include "cache/lookup.hpp"

#include "cache/index.hpp"
#include "cache/shard.hpp"
#include "tables/counters.hpp"
#include "tables/param_block.hpp"

#include <algorithm>

namespace clearcoat::cache {

namespace {

struct scan {
    object* fresh = nullptr;
    object* stale = nullptr;    // the newest one
    object* untested = nullptr; // bans came since it was last tested: nothing else is known
    bool busy = false;
    std::uint32_t skipped = 0;
    std::uint32_t untested_seen = 0;
};

struct inquiry {
    const lookup_request& request;
    const tables::param_block& params;
    const ban_list& bans;
    lookup_result& out;
    wake_list& woken;
};

bool is_marker(const object& o) noexcept {
    return o.has(object_flag::hit_for_miss) || o.has(object_flag::hit_for_pass);
}

double fresh_until(const object_timing& t, const lookup_request& r) noexcept {
    return t.t_origin + (r.ttl_limit > 0 ? std::min(t.ttl, r.ttl_limit) : t.ttl);
}

double grace_until(const object_timing& t, const lookup_request& r) noexcept {
    return fresh_until(t, r) + (r.grace_limit >= 0 ? std::min(t.grace, r.grace_limit) : t.grace);
}

bool fits(std::string_view spec, const lookup_request& r) noexcept {
    return r.ignore_vary || r.vary == nullptr || spec.empty() || r.vary->matches(spec);
}

void look_at_busy(shard& home, const object& o, const inquiry& q, scan& found) REQUIRES(home.guard()) {
    if (q.request.ignore_busy) {
        return;
    }
    if (fits(home.predicted_vary(o), q.request)) {
        found.busy = true;
    } else {
        ++found.skipped;
    }
}

// True when the search is over. Bans are tested before Vary for the first objects (ban_any_variant), so that a request
// cleans up even variants that it cannot use.
bool look_at(object& o, const inquiry& q, scan& found) noexcept {
    const lookup_request& r = q.request;
    const object_timing t = o.timing();
    if (t.ttl <= 0) {
        return false;
    }
    const bool tested = r.subject == nullptr || q.bans.up_to_date(o);
    if (!tested && found.untested_seen++ < q.params.ban_any_variant()) {
        found.untested = &o;
        return true;
    }
    if (!fits(o.vary(), r)) {
        ++found.skipped;
        return false;
    }
    if (!tested) {
        found.untested = &o;
        return true;
    }
    if (r.pick == lookup_pick::newest || r.pick == lookup_pick::oldest) {
        found.fresh = &o;
        return r.pick == lookup_pick::newest;
    }
    if (fresh_until(t, r) > r.now) {
        found.fresh = &o;
        return true;
    }
    if (t.fresh_until() < r.now && (found.stale == nullptr || t.t_origin > found.stale->timing().t_origin)) {
        found.stale = &o;
    }
    return false;
}

void look_through(shard& home, key_head& head, const inquiry& q, scan& found) noexcept REQUIRES(home.guard()) {
    for (object& o : head.objects) {
        if (o.has(object_flag::dying) || o.has(object_flag::failed)) {
            continue;
        }
        if (o.has(object_flag::busy)) {
            look_at_busy(home, o, q, found);
        } else if (look_at(o, q, found)) {
            return;
        }
    }
}

object_ref start_fetch(shard& home, const lookup_request& r) REQUIRES(home.guard()) {
    const bool guess = r.vary != nullptr && !r.always_miss;
    object& o = home.make_busy(home.find_or_make(*r.key), guess ? r.vary->prediction() : std::string_view());
    return object_ref::adopt(&o);
}

void serve(shard& home, object& o, lookup_verdict verdict, const inquiry& q) noexcept REQUIRES(home.guard()) {
    home.hit(o, q.request.now, q.params.lru_interval());
    q.out.verdict = verdict;
    q.out.object = object_ref(o);
}

void serve_marker(shard& home, object& o, bool expired, const inquiry& q) REQUIRES(home.guard()) {
    lookup_result& out = q.out;
    out.marker_vxid = o.vxid();
    out.marker_ttl = fresh_until(o.timing(), q.request) - q.request.now;
    if (!expired && o.has(object_flag::hit_for_pass)) {
        out.verdict = lookup_verdict::hit_pass;
        return;
    }
    out.verdict = lookup_verdict::hit_miss;
    out.busy = start_fetch(home, q.request);
    if (!expired) {
        out.object = object_ref(o);
    }
}

void wait(shard& home, const inquiry& q) REQUIRES(home.guard()) {
    q.out.verdict = lookup_verdict::busy;
    if (q.request.waiting != nullptr) {
        home.find_or_make(*q.request.key).waiting.add(*q.request.waiting);
        tables::bump(home.counters().busy_sleep);
    }
}

void decide(shard& home, const scan& found, const inquiry& q) REQUIRES(home.guard()) {
    const lookup_request& r = q.request;
    lookup_result& out = q.out;
    out.variants_skipped = found.skipped;
    if (found.fresh != nullptr) {
        object& o = *found.fresh;
        key_head& head = home.head_of(o);
        if (is_marker(o)) {
            serve_marker(home, o, false, q);
        } else {
            serve(home, o, lookup_verdict::hit, q);
        }
        // Who got here need not wait for anything, so neither need those behind: each wakes a few more.
        home.rush(head, q.woken, q.params.rush_exponent());
        return;
    }
    object* stale = found.stale;
    if (stale != nullptr && is_marker(*stale)) {
        serve_marker(home, *stale, true, q);
        return;
    }
    if (stale != nullptr && grace_until(stale->timing(), r) >= r.now) {
        serve(home, *stale, lookup_verdict::hit_grace, q);
    } else if (found.busy) {
        wait(home, q);
        return;
    } else if (stale != nullptr) {
        out.object = object_ref(*stale);
    }
    if (!found.busy) {
        out.busy = start_fetch(home, r);
    }
}

} // namespace

lookup_result index::lookup(const lookup_request& r) noexcept {
    lookup_result out;
    wake_list woken;
    const inquiry q{r, params_, bans_, out, woken};
    shard& home = shard_of(*r.key);
    base::lock_guard lock(home.guard());
    while (!r.always_miss && r.pick != lookup_pick::miss) {
        scan found;
        if (key_head* head = home.find(*r.key)) {
            look_through(home, *head, q, found);
        }
        if (found.untested == nullptr) {
            decide(home, found, q);
            return out;
        }
        // Ban tests run regexes: never while others wait for the shard.
        object_ref suspect(*found.untested);
        lock.unlock();
        if (bans_.check(*suspect, *r.subject)) {
            r.subject->banned(*suspect);
            kill(*suspect);
        }
        suspect.reset();
        lock.lock();
    }
    out.busy = start_fetch(home, r);
    return out;
}

} // namespace clearcoat::cache
