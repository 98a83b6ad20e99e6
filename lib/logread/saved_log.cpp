#include "logread/saved_log.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/core.h>

namespace clearcoat::logread {
namespace {

namespace layout = shm::layout;

constexpr std::size_t mark_words = 1;
static_assert(saved_log_mark_size == mark_words * sizeof(std::uint32_t));

bool is_batch(std::span<const std::uint32_t> words) noexcept {
    return (words[0] & 0xff000000U) == layout::batch_header;
}

/// How many words from the start hold whole records of one transaction, up to its end.
std::size_t run_length(std::span<const std::uint32_t> words) noexcept {
    std::size_t at = 0;
    while (at < words.size()) {
        const std::size_t size = whole_record(words.subspan(at));
        if (size == 0 || is_batch(words.subspan(at)) || record(&words[at]).vxid() != record(&words[0]).vxid()) {
            break;
        }
        at += size;
        if (record(&words[at - size]).tag() == log_tag::End) {
            break;
        }
    }
    return at;
}

/// The mapping that its records lie in, and the records.
class mapped_log : public record_source {
  public:
    explicit mapped_log(sys::mapping memory) : memory_(std::move(memory)), log_(memory_.bytes()) {}
    source_status next(record_run& run) override { return log_.next(run); }
    shm::record_width width() const noexcept override { return log_.width(); }

  private:
    sys::mapping memory_;
    saved_log_memory log_;
};

/// A pipe or the like: a record at a time.
class streamed_log : public record_source {
  public:
    streamed_log(sys::unique_fd fd, shm::record_width width)
        : fd_(std::move(fd)), width_(width), buffer_(layout::wide_overhead + layout::words_for(layout::length_mask)) {}

    shm::record_width width() const noexcept override { return width_; }

    source_status next(record_run& run) override {
        do {
            const source_status head = fill(0, layout::overhead);
            if (head != source_status::more) {
                return head;
            }
            // The length of a batch's head is no length of its own: its records follow one by one.
            const std::uint32_t all = is_batch(buffer_) ? layout::overhead_of(width_) : layout::size_of(buffer_[0]);
            const std::uint32_t rest = all - layout::overhead;
            const source_status body = fill(layout::overhead, rest);
            if (body != source_status::more) {
                return body == source_status::eof ? source_status::io_error : body;
            }
        } while (is_batch(buffer_));
        run = {{buffer_.data(), record(buffer_.data()).size()}, false, false};
        return source_status::more;
    }

  private:
    /// Reads `count` words to word `from`: eof where there is no byte, io_error where there are too few.
    source_status fill(std::size_t from, std::size_t count) {
        char* to = reinterpret_cast<char*>(buffer_.data() + from);
        std::size_t left = count * sizeof(std::uint32_t);
        while (left > 0) {
            const ssize_t got = ::read(fd_.get(), to, left);
            if (got < 0 && errno == EINTR) {
                continue;
            }
            if (got <= 0) {
                return got == 0 && left == count * sizeof(std::uint32_t) ? source_status::eof : source_status::io_error;
            }
            to += got;
            left -= static_cast<std::size_t>(got);
        }
        return source_status::more;
    }

    sys::unique_fd fd_;
    shm::record_width width_;
    std::vector<std::uint32_t> buffer_; // of the longest record there can be
};

/// Reads the mark; empty with `error` saying what is wrong.
std::optional<shm::record_width> read_mark(int fd, const std::string& path, std::string& error) {
    char mark[saved_log_mark_size];
    std::size_t have = 0;
    while (have < sizeof mark) {
        const ssize_t got = ::read(fd, mark + have, sizeof mark - have);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            error = fmt::format("VSL file read error: {}", got < 0 ? sys::error_text(errno) : "EOF");
            return std::nullopt;
        }
        have += static_cast<std::size_t>(got);
    }
    const std::optional<shm::record_width> width = width_of_mark({mark, sizeof mark});
    if (!width) {
        error = fmt::format("Not a VSL file: {}", path);
    }
    return width;
}

} // namespace

std::optional<shm::record_width> width_of_mark(std::string_view mark) noexcept {
    for (const shm::record_width width : {shm::record_width::narrow, shm::record_width::wide}) {
        if (mark == layout::file_marker(width)) {
            return width;
        }
    }
    return std::nullopt;
}

saved_log_memory::saved_log_memory(std::span<const std::byte> bytes) noexcept
    : width_(width_of_mark({reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), saved_log_mark_size)})
                 .value_or(shm::record_width::narrow)),
      words_(reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / sizeof(std::uint32_t)),
      odd_end_(bytes.size() % sizeof(std::uint32_t) != 0), at_(std::min(mark_words, words_.size())) {}

source_status saved_log_memory::next(record_run& run) {
    while (at_ < words_.size()) {
        const std::span<const std::uint32_t> rest = words_.subspan(at_);
        const unsigned overhead = layout::overhead_of(width_);
        if (rest.size() >= overhead && is_batch(rest)) {
            at_ += overhead; // its records follow
            continue;
        }
        const std::size_t length = run_length(rest);
        if (length == 0) {
            return source_status::io_error;
        }
        run = {rest.first(length), false, true};
        at_ += length;
        return source_status::more;
    }
    return odd_end_ ? source_status::io_error : source_status::eof;
}

std::unique_ptr<record_source> open_saved_log(const std::string& path, std::string& error) {
    sys::unique_fd fd = path == "-" ? sys::unique_fd(::dup(STDIN_FILENO)) : sys::open_file(path, O_RDONLY);
    if (!fd) {
        error = fmt::format("Cannot open {}: {}", path, sys::error_text(errno));
        return nullptr;
    }
    const std::optional<shm::record_width> width = read_mark(fd.get(), path, error);
    if (!width) {
        return nullptr;
    }
    struct stat status {};
    if (::fstat(fd.get(), &status) == 0 && S_ISREG(status.st_mode)) {
        sys::mapping memory = sys::mapping::shared(fd.get(), static_cast<std::size_t>(status.st_size), false);
        if (memory) {
            return std::make_unique<mapped_log>(std::move(memory));
        }
    }
    return std::make_unique<streamed_log>(std::move(fd), *width);
}

} // namespace clearcoat::logread
