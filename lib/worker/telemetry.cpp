#include "worker/telemetry.hpp"

#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"

namespace clearcoat::worker {

telemetry::telemetry(std::uint64_t ring_size, shm::record_width width, const tables::param_block& params)
    : segments_(shm::worker_folder), counters_(segments_), log_memory_(segments_.create("Log", "Log", ring_size)),
      ring_(log_memory_.bytes(), params, *counters_, width) {
    log_memory_.publish();
}

void telemetry::log_cli(std::string_view text) noexcept {
    ring_.write_now(log_tag::CLI, text);
}

} // namespace clearcoat::worker
