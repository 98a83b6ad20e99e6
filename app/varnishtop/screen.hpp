// varnishtop's screen: draws the ranking each second, in a thread of its own while the tool's thread reads the log.
#pragma once

#include "base/thread_annotations.hpp"
#include "ranking.hpp"

#include <atomic>
#include <string>

namespace clearcoat::varnishtop {

/// What the two threads share.
struct board {
    explicit board(bool first_field) : entries(first_field) {}
    base::mutex mutex;
    ranking entries GUARDED_BY(mutex);
    std::atomic<bool> end_of_file{false};
};

/// Draws until a key or a signal ends the tool. `name` is the instance's, `period` in seconds.
void show(board& b, const std::string& name, unsigned period);

} // namespace clearcoat::varnishtop
