// What a hit costs: the lookup as a request makes it (vary and bans looked at), and how long the shard's mutex is held.
// The budget is 0 allocations and under 200 ns.
#include "benchmarks/micro/harness.hpp"

#include "base/sha256.hpp"
#include "cache/body_cursor.hpp"
#include "cache/body_writer.hpp"
#include "cache/index.hpp"
#include "cache/storage/malloc/malloc_storage.hpp"
#include "cache/storage/storage_set.hpp"
#include "tables/counters.hpp"
#include "tables/param_block.hpp"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace clearcoat;

namespace {

class no_reader final : public cache::object_reader {
  public:
    std::string_view status(const cache::object&) const noexcept override { return "200"; }
    std::optional<std::string_view> header(const cache::object&, std::string_view) const noexcept override {
        return std::nullopt;
    }
};

class no_subject final : public cache::ban_subject {
  public:
    std::string_view url() const noexcept override { return "/"; }
    std::optional<std::string_view> header(std::string_view) const noexcept override { return std::nullopt; }
};

class same_vary final : public cache::vary_matcher {
  public:
    bool matches(std::string_view spec) noexcept override { return spec == "accept-encoding: gzip"; }
};

base::digest key_of(std::size_t n) {
    base::sha256 hash;
    hash.update(std::to_string(n));
    return hash.finish();
}

void fill(cache::index& index, cache::storage& where, const base::digest& key, std::string_view vary) {
    cache::lookup_request ask;
    ask.key = &key;
    ask.now = 1;
    cache::object_ref o = index.lookup(ask).busy;
    if (!index.prepare(*o, where, 400, vary.size())) {
        return;
    }
    std::memset(o->head_room().data(), 'h', 400);
    std::memcpy(o->vary_room().data(), vary.data(), vary.size());
    o->set_timing({1, 1e15, 0, 0});
    index.unbusy(*o);
    o->advance(cache::object_state::streaming);
    cache::body_writer writer(index, o);
    writer.append(std::string(1024, 'b'));
    writer.finish(1);
}

struct setting {
    tables::main_counters counters;
    no_reader reader;
    cache::storage_set storages{std::make_unique<cache::malloc_storage>("Transient", 0)};
    cache::storage& s0 = storages.add(std::make_unique<cache::malloc_storage>("s0", 256u << 20));
    cache::ban_list bans{tables::default_params(), counters, reader, 0};
    cache::index index{tables::default_params(), counters, storages, bans};
    std::vector<base::digest> keys;

    explicit setting(std::size_t objects) {
        for (std::size_t i = 0; i < objects; ++i) {
            keys.push_back(key_of(i));
            fill(index, s0, keys.back(), "accept-encoding: gzip");
        }
    }
};

void measure_lookups(setting& s) {
    no_subject subject;
    same_vary vary;
    cache::lookup_request ask;
    ask.now = 2;
    ask.subject = &subject;
    ask.vary = &vary;
    ask.key = &s.keys[0];
    bench::measure("hit, one object", [&] { bench::keep(s.index.lookup(ask).object.get()); });
    std::size_t next = 0;
    const auto take_next = [&] {
        ask.key = &s.keys[next];
        next = (next + 7919) % s.keys.size();
        bench::keep(s.index.lookup(ask).object.get());
    };
    bench::measure("hit, 10,000 objects in turn", take_next);
    bench::measure("hit that moves in the LRU", [&] {
        ask.now += 10;
        take_next();
    });
}

void measure_cursor(setting& s) {
    cache::lookup_request ask;
    ask.now = 2;
    ask.key = &s.keys[0];
    const cache::object_ref o = s.index.lookup(ask).object;
    bench::measure("cursor over a 1 KB body", [&] {
        cache::body_cursor cursor(o);
        std::span<const char> parts[8];
        const auto read = cursor.peek(parts);
        cursor.advance(read.bytes);
        bench::keep(read);
    });
}

} // namespace

int main(int argc, char** argv) {
    bench::set_up(argc, argv);
    setting s(10'000);
    measure_cursor(s);
    measure_lookups(s);
    return 0;
}
