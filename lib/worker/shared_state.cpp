#include "worker/shared_state.hpp"

#include "base/clock.hpp"
#include "cache/storage/file/file_storage.hpp"
#include "cache/storage/malloc/malloc_storage.hpp"
#include "worker/telemetry.hpp"

#include <unistd.h>

namespace clearcoat::worker {

namespace {

std::unique_ptr<cache::storage> make_storage(const cli::storage_spec& spec) {
    if (spec.kind == "file") {
        return std::make_unique<cache::file_storage>(spec.name, spec.fd, spec.size, spec.granularity,
                                                     spec.advice == "random");
    }
    return std::make_unique<cache::malloc_storage>(spec.name, spec.size);
}

std::unique_ptr<cache::storage_set> make_storages(const cli::worker_boot& boot) {
    std::unique_ptr<cache::storage> transient;
    for (const cli::storage_spec& spec : boot.storages) {
        if (spec.name == "Transient") {
            transient = make_storage(spec);
        }
    }
    if (!transient) {
        transient = std::make_unique<cache::malloc_storage>("Transient", 0);
    }
    auto set = std::make_unique<cache::storage_set>(std::move(transient));
    for (const cli::storage_spec& spec : boot.storages) {
        if (spec.name != "Transient") {
            set->add(make_storage(spec));
        }
    }
    return set;
}

template<class Set>
void bind(shared_state& s, cache::storage& engine) {
    shm::counter_segment<Set> segment(s.segments, engine.identity());
    engine.bind_counters(tables::words_of(*segment));
    s.storage_counters.emplace_back(std::move(segment));
}

void bind_counters(shared_state& s) {
    for (std::size_t i = 0; i < s.storages->size(); ++i) {
        cache::storage& engine = s.storages->at(i);
        if (engine.counter_section() == "SMF") {
            bind<tables::smf_counters>(s, engine);
        } else {
            bind<tables::sma_counters>(s, engine);
        }
    }
}

std::string own_hostname() {
    char name[256] = "";
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "localhost";
}

} // namespace

shared_state::shared_state(const server_context& context)
    : boot(context.boot), params(context.params), vxids(context.vxids), segments(context.outside.segments()),
      log(context.outside.ring()), counters(context.outside.counters()), storages(make_storages(boot)),
      storage_names(*storages), bans(params, counters, reader, base::system_clock().real()),
      cache(params, counters, *storages, bans), hostname(own_hostname()) {
    cache.set_object_watcher(&events);
    bind_counters(*this);
}

} // namespace clearcoat::worker
