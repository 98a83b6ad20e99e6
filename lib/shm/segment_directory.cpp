#include "shm/segment_directory.hpp"

#include "shm/counter_description.hpp"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/core.h>

namespace clearcoat::shm {
namespace {

constexpr char index_name[] = "_.index";
constexpr unsigned file_mode = 0640;
constexpr unsigned removals_kept = 10;

[[noreturn]] void fail(const std::string& what) {
    throw std::system_error(errno, std::generic_category(), what);
}

std::string fresh_name(std::string_view prefix) {
    std::uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number) {
        fail("getrandom");
    }
    return fmt::format("_.{}.{:016x}", prefix, number);
}

} // namespace

segment::segment(segment&& other) noexcept {
    *this = std::move(other);
}

segment& segment::operator=(segment&& other) noexcept {
    if (this != &other) {
        reset();
        directory_ = std::exchange(other.directory_, nullptr);
        memory_ = std::move(other.memory_);
        size_ = other.size_;
        line_ = std::move(other.line_);
        published_ = other.published_;
    }
    return *this;
}

void segment::publish() {
    if (!published_) {
        directory_->add_line(line_);
        published_ = true;
    }
}

void segment::reset() noexcept {
    if (directory_ == nullptr) {
        return;
    }
    if (directory_->owned_) {
        if (published_) {
            directory_->remove_line(line_);
        }
        unlinkat(directory_->folder_.get(), line_.substr(0, line_.find(' ')).c_str(), 0);
    }
    memory_.reset();
    directory_ = nullptr;
}

segment_directory::segment_directory(const std::string& path)
    : folder_(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)), birth_(std::time(nullptr)) {
    if (!folder_) {
        fail(path);
    }
    if (unlinkat(folder_.get(), index_name, 0) != 0 && errno != ENOENT) {
        fail(path + "/" + index_name);
    }
    base::lock_guard lock(mutex_);
    if (!rewrite()) {
        fail(path + "/" + index_name);
    }
}

segment_directory::~segment_directory() {
    {
        base::lock_guard lock(descriptions_mutex_);
        descriptions_.clear();
    }
    if (owned_) {
        unlinkat(folder_.get(), index_name, 0);
    }
}

void segment_directory::prepare(const std::string& path, unsigned mode) {
    remove(path);
    if (mkdir(path.c_str(), mode) != 0) {
        fail(path);
    }
}

void segment_directory::remove(const std::string& path) noexcept {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
}

segment segment_directory::create(std::string_view kind, std::string_view ident, std::size_t size) {
    std::string file = fresh_name(kind);
    sys::unique_fd fd(openat(folder_.get(), file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, file_mode));
    if (!fd) {
        fail(file);
    }
    std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::size_t rounded = (size + page - 1) / page * page;
    int error = posix_fallocate(fd.get(), 0, static_cast<off_t>(rounded));
    segment made;
    if (error == 0) {
        made.memory_ = sys::mapping::shared(fd.get(), rounded);
        error = made.memory_ ? 0 : errno;
    }
    if (error != 0) {
        unlinkat(folder_.get(), file.c_str(), 0);
        errno = error;
        fail(file);
    }
    mlock(made.memory_.data(), rounded); // best effort: the limit may not allow it
    made.directory_ = this;
    made.size_ = size;
    made.line_ = fmt::format("{} 0 {} {} {}", file, size, kind, ident);
    return made;
}

segment segment_directory::create_text(std::string_view kind, std::string_view ident, std::string_view text) {
    segment made = create(kind, ident, text.size() + 1);
    std::memcpy(made.memory_.data(), text.data(), text.size());
    made.publish();
    return made;
}

std::uint64_t segment_directory::describe(const tables::counter_set& set) {
    base::lock_guard lock(descriptions_mutex_);
    description& entry = descriptions_[&set];
    if (entry.uses++ == 0) {
        entry.memory = make_description(*this, set);
        entry.memory.publish();
    }
    return description_number(set);
}

void segment_directory::forget(const tables::counter_set& set) noexcept {
    base::lock_guard lock(descriptions_mutex_);
    auto found = descriptions_.find(&set);
    if (found != descriptions_.end() && --found->second.uses == 0) {
        descriptions_.erase(found);
    }
}

std::string segment_directory::head_line() const {
    return fmt::format("# {} {}\n", getpid(), birth_);
}

void segment_directory::add_line(const std::string& line) {
    base::lock_guard lock(mutex_);
    append("+ " + line + "\n");
    lines_.push_back(line);
}

void segment_directory::remove_line(const std::string& line) noexcept {
    base::lock_guard lock(mutex_);
    lines_.remove(line);
    if (removals_ >= removals_kept && removals_ >= lines_.size() / 2) {
        if (rewrite()) {
            return;
        }
    }
    ++removals_;
    append("- " + line + "\n");
}

void segment_directory::append(std::string_view text) {
    sys::unique_fd fd(openat(folder_.get(), index_name, O_APPEND | O_WRONLY | O_CLOEXEC));
    if (fd) {
        sys::write_all(fd.get(), text);
    }
}

bool segment_directory::rewrite() {
    std::string text = head_line();
    for (const std::string& line : lines_) {
        text += "+ " + line + "\n";
    }
    std::string file = fresh_name("index");
    sys::unique_fd fd(openat(folder_.get(), file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file_mode));
    if (!fd || sys::write_all(fd.get(), text) != 0 ||
        renameat(folder_.get(), file.c_str(), folder_.get(), index_name) != 0) {
        int error = errno;
        unlinkat(folder_.get(), file.c_str(), 0);
        errno = error;
        return false;
    }
    removals_ = 0;
    return true;
}

} // namespace clearcoat::shm
