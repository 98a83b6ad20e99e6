// A cache for tests: one limited malloc storage ("s0") beside Transient, parameters that can be set by text, counters,
// and heads that are "status\nName: value\n..." so that bans have something to look at.
#pragma once

#include "base/sha256.hpp"
#include "cache/body_cursor.hpp"
#include "cache/body_writer.hpp"
#include "cache/index.hpp"
#include "cache/storage/malloc/malloc_storage.hpp"
#include "cache/storage/storage_set.hpp"
#include "tables/counters.hpp"
#include "tables/params.hpp"

#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::test {

inline base::digest key_of(std::string_view text) {
    base::sha256 hash;
    hash.update(text);
    return hash.finish();
}

class text_reader final : public cache::object_reader {
  public:
    std::string_view status(const cache::object& o) const noexcept override { return o.head().substr(0, 3); }
    std::optional<std::string_view> header(const cache::object& o, std::string_view name) const noexcept override {
        const std::string_view head = o.head();
        for (std::size_t at = head.find('\n'); at != std::string_view::npos; at = head.find('\n', at + 1)) {
            const std::string_view line = head.substr(at + 1, head.find('\n', at + 1) - at - 1);
            if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == ':') {
                return line.substr(name.size() + 2);
            }
        }
        return std::nullopt;
    }
};

class text_subject final : public cache::ban_subject {
  public:
    explicit text_subject(std::string path = "/", std::map<std::string, std::string, std::less<>> headers = {})
        : path_(std::move(path)), headers_(std::move(headers)) {}
    std::string_view url() const noexcept override { return path_; }
    std::optional<std::string_view> header(std::string_view name) const noexcept override {
        const auto at = headers_.find(name);
        return at == headers_.end() ? std::nullopt : std::optional<std::string_view>(at->second);
    }
    void banned(const cache::object&) const noexcept override { ++killed; }
    mutable int killed = 0;

  private:
    std::string path_;
    std::map<std::string, std::string, std::less<>> headers_;
};

/// Serves variants whose spec is `wanted`.
class text_vary final : public cache::vary_matcher {
  public:
    explicit text_vary(std::string wanted, std::string guess = {})
        : wanted_(std::move(wanted)), guess_(std::move(guess)) {}
    bool matches(std::string_view spec) noexcept override { return spec == wanted_; }
    std::string_view prediction() noexcept override { return guess_; }

  private:
    std::string wanted_;
    std::string guess_;
};

struct counting_waiter final : cache::waiter {
    std::atomic<int> woken{0};
    void wake() noexcept override { ++woken; }
};

struct counting_housekeeper final : cache::housekeeper {
    std::atomic<int> kicks{0};
    void kick() noexcept override { ++kicks; }
};

struct kept_expiry_log final : cache::expiry_log {
    std::vector<std::string> lines;
    bool wanted() const noexcept override { return true; }
    void expiry(std::string_view text) noexcept override { lines.emplace_back(text); }
};

struct cache_fixture {
    tables::param_block params;
    tables::parameter_set settings{params};
    tables::main_counters counters;
    text_reader reader;
    cache::storage_set storages{std::make_unique<cache::malloc_storage>("Transient", 0)};
    cache::storage& s0;
    cache::ban_list bans;
    cache::index index;
    text_subject subject;

    explicit cache_fixture(std::uint64_t limit = 1u << 20, std::size_t shards = 4)
        : s0(storages.add(std::make_unique<cache::malloc_storage>("s0", limit))), bans(params, counters, reader, 1.0),
          index(params, counters, storages, bans, shards) {}

    void set(std::string_view name, std::string_view value) { settings.set(name, value, false); }

    cache::lookup_request request(const base::digest& key, double now) {
        cache::lookup_request r;
        r.key = &key;
        r.now = now;
        r.subject = &subject;
        return r;
    }
    cache::lookup_result lookup(const base::digest& key, double now, cache::vary_matcher* vary = nullptr,
                                cache::waiter* waiting = nullptr) {
        cache::lookup_request r = request(key, now);
        r.vary = vary;
        r.waiting = waiting;
        return index.lookup(r);
    }

    bool prepare(cache::object& o, std::string_view head, std::string_view vary = {}) {
        if (!index.prepare(o, s0, head.size(), vary.size())) {
            return false;
        }
        std::memcpy(o.head_room().data(), head.data(), head.size());
        if (!vary.empty()) {
            std::memcpy(o.vary_room().data(), vary.data(), vary.size());
        }
        return true;
    }
    /// Fetches: head, timers from `now`, body, all at once.
    bool fill(cache::object_ref o, double now, double ttl, std::string_view body = "body",
              std::string_view head = "200\n", std::string_view vary = {}, double grace = 0, double keep = 0) {
        if (!prepare(*o, head, vary)) {
            index.abandon(*o);
            return false;
        }
        o->set_timing({now, ttl, grace, keep});
        index.unbusy(*o);
        o->advance(cache::object_state::streaming);
        cache::body_writer writer(index, o);
        if (!writer.append(body)) {
            return false;
        }
        writer.finish(now);
        return true;
    }
    /// A cached object of `key`, which must not be cached yet.
    cache::object_ref store(const base::digest& key, double now, double ttl, std::string_view body = "body",
                            std::string_view head = "200\n", std::string_view vary = {}, double grace = 0,
                            double keep = 0) {
        cache::lookup_request r = request(key, now);
        r.always_miss = true;
        cache::object_ref o = index.lookup(r).busy;
        return fill(o, now, ttl, body, head, vary, grace, keep) ? o : cache::object_ref();
    }
};

/// The rest of the body from the cursor's place, as long as there is any.
inline std::string drain(cache::body_cursor& cursor) {
    std::string out;
    std::span<const char> parts[4];
    while (true) {
        const cache::cursor_read read = cursor.peek(parts);
        if (read.status != cache::cursor_status::data) {
            return out;
        }
        for (std::size_t i = 0; i < read.count; ++i) {
            out.append(parts[i].data(), parts[i].size());
        }
        cursor.advance(read.bytes);
    }
}

} // namespace clearcoat::test
