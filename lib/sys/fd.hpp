// A file descriptor that closes itself, and the few whole-buffer reads and writes that everybody needs. Errors are
// errno values (0: none), because that is what the callers print.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace clearcoat::sys {

class unique_fd {
  public:
    unique_fd() = default;
    explicit unique_fd(int fd) noexcept : fd_(fd) {}
    unique_fd(unique_fd&& other) noexcept : fd_(other.release()) {}
    unique_fd& operator=(unique_fd&& other) noexcept {
        reset(other.release());
        return *this;
    }
    ~unique_fd() { reset(); }

    int get() const noexcept { return fd_; }
    explicit operator bool() const noexcept { return fd_ >= 0; }
    int release() noexcept { return std::exchange(fd_, -1); }
    /// Closes what it has and takes `fd`.
    void reset(int fd = -1) noexcept;

  private:
    int fd_ = -1;
};

/// errno's text, as messages print it ("No such file or directory").
std::string error_text(int error);

/// Both set the flag on or off; 0 or errno.
int set_nonblocking(int fd, bool on) noexcept;
int set_close_on_exec(int fd, bool on) noexcept;

/// Writes all of `text`, waiting where the descriptor is non-blocking; 0 or errno.
int write_all(int fd, std::string_view text) noexcept;

/// Opens with close-on-exec; empty with errno set when it fails.
unique_fd open_file(const std::string& path, int flags, unsigned mode = 0) noexcept;

/// The whole file; empty optional with errno set when it cannot be opened or read.
std::optional<std::string> read_file(const std::string& path);
/// What is left to read of `fd`; empty optional with errno set on failure.
std::optional<std::string> read_rest(int fd);

/// Replaces the descriptor `fd` by /dev/null.
void point_at_null(int fd) noexcept;

/// A pair of connected stream sockets, close-on-exec; empty descriptors with errno set on failure.
std::pair<unique_fd, unique_fd> make_socketpair() noexcept;
/// A pipe, read end first, close-on-exec.
std::pair<unique_fd, unique_fd> make_pipe() noexcept;

} // namespace clearcoat::sys
