// The question a request asks the index, and the answer. The vary matcher and the ban subject are the request's eyes:
// they are called while the lookup runs, the matcher under the shard's lock, so it must be quick and must not block.
#pragma once

#include "base/sha256.hpp"
#include "cache/ban_subject.hpp"
#include "cache/object.hpp"
#include "cache/waiter.hpp"

#include <cstdint>
#include <string_view>

namespace clearcoat::cache {

/// Tells whether a request is served by a variant.
class vary_matcher {
  public:
    /// `spec` is what the fetch wrote into object::vary_room(). May remember the last spec for prediction().
    virtual bool matches(std::string_view spec) noexcept = 0;
    /// The spec that the request would fill for the last one that did not match: a guess of how the answer will vary,
    /// so that others need not wait for it. Empty when nothing is known. The index copies it.
    virtual std::string_view prediction() noexcept { return {}; }

  protected:
    ~vary_matcher() = default;
};

/// What a lookup takes when the request does not leave it to the rules: nothing, or the object of the key that was
/// stored last or first, whether it is fresh or not.
enum class lookup_pick : std::uint8_t { usual, miss, newest, oldest };

struct lookup_request {
    const base::digest* key = nullptr;
    double now = 0;           // seconds, real: the request's t_req
    double ttl_limit = -1;    // req.ttl: an object's ttl counts at most so much; <= 0 none
    double grace_limit = -1;  // req.grace; < 0 none
    bool always_miss = false; // req.hash_always_miss
    bool ignore_busy = false; // req.hash_ignore_busy
    bool ignore_vary = false; // req.hash_ignore_vary
    lookup_pick pick = lookup_pick::usual;
    vary_matcher* vary = nullptr;         // nullptr: every variant matches
    const ban_subject* subject = nullptr; // nullptr: bans are not tested
    waiter* waiting = nullptr;            // nullptr: the request cannot wait
};

enum class lookup_verdict : std::uint8_t {
    miss,      // fetch into `busy`; `object` is a stale one to revalidate, or empty
    hit,       // deliver `object`
    hit_grace, // deliver `object`, which is stale; fetch into `busy` in the background when there is one
    hit_miss,  // hit-for-miss: as miss, `object` is the marker (empty when the marker had expired)
    hit_pass,  // hit-for-pass: pass; nothing is handed out
    busy       // another fetch is under way; `waiting` was registered (nothing was when it is nullptr)
};

struct lookup_result {
    lookup_verdict verdict = lookup_verdict::miss;
    object_ref object;
    object_ref busy;
    base::vxid_number marker_vxid = 0;  // hit_miss, hit_pass: what HitMiss and HitPass log
    double marker_ttl = 0;              // seconds left of the marker, req.ttl counted
    std::uint32_t variants_skipped = 0; // for vary_notice
};

} // namespace clearcoat::cache
