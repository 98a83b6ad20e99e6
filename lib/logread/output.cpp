#include "logread/output.hpp"

#include "logread/saved_log.hpp"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace clearcoat::logread {
namespace {

/// The layout that the records in a saved log have; narrow where it cannot be told.
shm::record_width width_of_file(const std::string& path) {
    char mark[saved_log_mark_size];
    const sys::unique_fd fd = sys::open_file(path, O_RDONLY);
    const bool whole = fd && ::read(fd.get(), mark, sizeof mark) == static_cast<ssize_t>(sizeof mark);
    return whole ? width_of_mark({mark, sizeof mark}).value_or(shm::record_width::narrow) : shm::record_width::narrow;
}

} // namespace

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
    mark_due_ = how.kind == content::records && !begun;
    if (mark_due_ && source_) {
        mark(*source_);
    } else if (begun) {
        width_ = width_of_file(path);
    }
    return 0;
}

void output::mark(shm::record_width width) {
    width_ = width;
    buffer_ += shm::layout::file_marker(width);
    mark_due_ = false;
}

void output::source_is(shm::record_width width) {
    source_ = width;
    if (mark_due_) {
        mark(width);
    }
}

int output::reopen() {
    choices how = how_;
    how.append = true;
    return open(path_, how);
}

void output::flush() {
    if (mark_due_) {
        const std::string records = std::move(buffer_);
        buffer_.clear();
        mark(shm::record_width::narrow);
        buffer_ += records;
    }
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
