// A file that holds a process id and an exclusive lock while the process lives.
#pragma once

#include "sys/fd.hpp"

#include <string>

#include <sys/types.h>

namespace clearcoat::sys {

class pid_file {
  public:
    enum class verdict { ok, running, failed };
    /// Creates and locks `path`. `running`: another process holds it, `owner` is its id. `failed`: errno is set.
    verdict open(const std::string& path, pid_t& owner);
    /// Writes the caller's id.
    void write() noexcept;
    /// Removes the file and gives the lock back; harmless when another file took its name.
    void remove() noexcept;
    const std::string& path() const noexcept { return path_; }

  private:
    bool still_ours() const noexcept;
    std::string path_;
    unique_fd fd_;
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

} // namespace clearcoat::sys
