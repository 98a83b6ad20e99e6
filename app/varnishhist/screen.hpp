// varnishhist's screen, drawn in a thread of its own while the tool's thread reads the log, and the pace (-B) at which
// that thread may read.
#pragma once

#include "base/thread_annotations.hpp"
#include "histogram.hpp"

#include <atomic>
#include <string>

namespace clearcoat::varnishhist {

/// What the two threads share.
struct board {
    explicit board(const profile& p) : values(p) {}
    base::mutex mutex;
    histogram values GUARDED_BY(mutex);
    std::atomic<bool> end_of_file{false};
    /// Log seconds a second; 0: as fast as records come.
    std::atomic<double> pace{0};
};

/// Takes a group, then waits until it is its time by the pace. The tool's thread.
class paced_reader {
  public:
    explicit paced_reader(board& b) : board_(b) {}
    void add(logread::group g);

  private:
    board& board_;
    double pace_ = 0;
    double began_ = 0;     // our clock
    double log_began_ = 0; // the log's
};

/// Draws every `delay` seconds until a key or a signal ends the tool. `name` is the instance's.
void show(board& b, const std::string& name, double delay);

} // namespace clearcoat::varnishhist
