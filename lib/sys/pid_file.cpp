#include "sys/pid_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace clearcoat::sys {

namespace {

struct opened {
    unique_fd fd;
    struct stat info {};
    bool busy = false;
};

// Opens and locks; tries again where the file was replaced between the two steps.
opened open_locked(const std::string& path) noexcept {
    for (;;) {
        opened made;
        made.fd = open_file(path, O_WRONLY | O_CREAT | O_NONBLOCK, 0644);
        if (!made.fd) {
            return made;
        }
        if (::flock(made.fd.get(), LOCK_EX | LOCK_NB) != 0) {
            made.busy = errno == EWOULDBLOCK;
            made.fd.reset();
            return made;
        }
        struct stat there {};
        if (::fstat(made.fd.get(), &made.info) == 0 && ::stat(path.c_str(), &there) == 0 &&
            there.st_dev == made.info.st_dev && there.st_ino == made.info.st_ino) {
            return made;
        }
    }
}

} // namespace

pid_file::verdict pid_file::open(const std::string& path, pid_t& owner) {
    opened made = open_locked(path);
    if (made.busy) {
        const auto text = read_file(path);
        char* end = nullptr;
        owner = text ? static_cast<pid_t>(std::strtol(text->c_str(), &end, 10)) : 0;
        return verdict::running;
    }
    if (!made.fd || ::ftruncate(made.fd.get(), 0) != 0) {
        return verdict::failed;
    }
    path_ = path;
    device_ = made.info.st_dev;
    inode_ = made.info.st_ino;
    fd_ = std::move(made.fd);
    return verdict::ok;
}

bool pid_file::still_ours() const noexcept {
    struct stat info {};
    return fd_ && ::fstat(fd_.get(), &info) == 0 && info.st_dev == device_ && info.st_ino == inode_;
}

void pid_file::write() noexcept {
    if (!still_ours() || ::ftruncate(fd_.get(), 0) != 0) {
        return;
    }
    const std::string text = std::to_string(::getpid());
    if (::pwrite(fd_.get(), text.data(), text.size(), 0) < 0) {
        // A full disk: the lock still tells that we run.
    }
}

void pid_file::remove() noexcept {
    if (still_ours()) {
        ::unlink(path_.c_str());
    }
    fd_.reset();
}

} // namespace clearcoat::sys
