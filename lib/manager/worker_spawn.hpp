// From settings to a running worker process: the boot text, the descriptors it inherits, fork and exec.
#pragma once

#include "cli/worker_boot.hpp"

#include <vector>

#include <sys/types.h>

namespace clearcoat::manager {

struct worker_channels {
    int cli = -1;    // the worker's end
    int output = -1; // its stdout and stderr
    bool no_core_dump = false;
};

/// Starts this program again as a worker. `boot` names descriptors by their numbers here; they are renumbered on the
/// way. -1 with errno set on failure.
pid_t spawn_worker(cli::worker_boot boot, const worker_channels& channels, const std::vector<std::string>& arguments);

} // namespace clearcoat::manager
