#include "logread/output.hpp"

#include "logread/saved_log.hpp"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace clearcoat::logread {

output::output() {
    take(sys::unique_fd(::dup(STDOUT_FILENO)), "-", {});
}

int output::open(const std::string& path, const choices& how) {
    if (path == "-") {
        return take(sys::unique_fd(::dup(STDOUT_FILENO)), path, how);
    }
    constexpr unsigned mode = 0666;
    return take(sys::open_file(path, O_WRONLY | O_CREAT | (how.append ? O_APPEND : O_TRUNC), mode), path, how);
}

int output::take(sys::unique_fd fd, const std::string& path, const choices& how) {
    if (!fd) {
        return errno;
    }
    flush();
    fd_ = std::move(fd);
    path_ = path;
    how_ = how;
    at_once_ = how.unbuffered || ::isatty(fd_.get()) != 0;
    struct stat status {};
    const bool begun = path != "-" && ::fstat(fd_.get(), &status) == 0 && status.st_size > 0;
    if (how.kind == content::records && !begun) {
        buffer_ += saved_log_mark;
    }
    return 0;
}

int output::reopen() {
    choices how = how_;
    how.append = true;
    return open(path_, how);
}

void output::flush() {
    if (buffer_.empty() || !fd_) {
        return;
    }
    const int error = sys::write_all(fd_.get(), buffer_);
    buffer_.clear();
    if (error != 0) {
        failed_ = true;
        if (!told_) {
            std::fprintf(stderr, "Cannot write: %s\n", sys::error_text(error).c_str());
        }
    }
    told_ = error != 0;
}

} // namespace clearcoat::logread
