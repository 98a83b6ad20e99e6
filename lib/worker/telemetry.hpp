// What the outside can see of a worker: the folder of shared-memory segments, the log ring in it, the MAIN counters.
// Made once, before anything logs or counts; used by all threads.
#pragma once

#include "shm/counter_segment.hpp"
#include "shm/log_ring.hpp"
#include "shm/segment_directory.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace clearcoat::worker {

class telemetry {
  public:
    /// Segments go to `_.vsm_child` in the current folder; `ring_size` bytes for the log. Throws std::system_error.
    telemetry(std::uint64_t ring_size, shm::record_width width, const tables::param_block& params);

    shm::segment_directory& segments() noexcept { return segments_; }
    shm::log_ring& ring() noexcept { return ring_; }
    tables::main_counters& counters() noexcept { return *counters_; }

    /// A record of tag CLI that belongs to no transaction.
    void log_cli(std::string_view text) noexcept;

  private:
    shm::segment_directory segments_;
    shm::counter_segment<tables::main_counters> counters_;
    shm::segment log_memory_;
    shm::log_ring ring_;
};

} // namespace clearcoat::worker
