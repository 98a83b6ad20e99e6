// Token buckets by key, shared by all loops: sixteen tables, each under its own mutex. Buckets that are full again are
// swept away now and then. Times come from the caller.
#pragma once

#include "base/clock.hpp"

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace clearcoat::vmod::throttle {

/// What a bucket is made for; with the key it names the bucket.
struct rule {
    std::int64_t limit;   // tokens
    base::seconds period; // in which they all come back
    base::seconds block;  // how long nothing is given after the bucket ran empty; 0: not at all
};

class bucket_table {
  public:
    /// Takes a token; false when there is none or the bucket is blocked.
    bool take(std::string_view key, const rule& r, base::seconds now);
    void put_back(std::string_view key, const rule& r, base::seconds now);
    std::int64_t remaining(std::string_view key, const rule& r, base::seconds now);
    /// How long the bucket stays blocked; 0 when it is not.
    base::seconds blocked(std::string_view key, const rule& r, base::seconds now);
    void remove(std::string_view key, const rule& r);

    std::size_t size();

  private:
    struct bucket {
        std::int64_t tokens;
        std::int64_t capacity;
        base::seconds period;
        base::seconds last_taken;
        base::seconds blocked_until = 0;

        std::int64_t at(base::seconds now) const noexcept;
    };
    struct part {
        std::mutex mutex;
        std::unordered_map<std::string, bucket> all; // guarded by mutex
        unsigned calls = 0;                          // guarded by mutex; since the last sweep
    };

    static std::string name_of(std::string_view key, const rule& r);
    part& part_of(const std::string& name) noexcept;
    static bucket& bucket_of(part& in, const std::string& name, const rule& r, base::seconds now);
    static void sweep(part& in, base::seconds now);

    std::array<part, 16> parts_;
};

} // namespace clearcoat::vmod::throttle
