// What the debug.* commands set for tests of the server itself. Written by the control thread, read by all.
#pragma once

#include <atomic>
#include <cstdint>

namespace clearcoat::worker {

struct debug_knobs {
    std::atomic<std::uint32_t> fragment_fetch{0}; // bytes a fetch gives on at a time; 0: as many as come
    std::atomic<double> shutdown_delay{0};        // seconds
};

} // namespace clearcoat::worker
