// Where a tool's text or records go: standard output or a file that can be reopened under its name after it was rotated
// away. Buffered; a terminal sees every group at once. When it cannot be written the loss is told once and the work
// goes on: a full disk must not end a logger. One thread.
#pragma once

#include "shm/record_layout.hpp"
#include "sys/fd.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace clearcoat::logread {

class output {
  public:
    enum class content { text, records };
    struct choices {
        content kind = content::text; // records begin with the mark of saved logs, see source_is()
        bool append = false;
        bool unbuffered = false;
    };

    /// Standard output, text.
    output();
    ~output() { flush(); }
    output(const output&) = delete;
    output& operator=(const output&) = delete;

    /// Takes `path` instead, "-" for standard output; 0 or errno.
    int open(const std::string& path, const choices& how);
    /// Opens the same path again, to append; what was there stays open when that fails. 0 or errno.
    int reopen();
    /// How the records that come from now on are laid out. A file without a mark gets the one of that layout.
    void source_is(shm::record_width width);
    /// The layout of the file, that all records in it must have.
    shm::record_width width() const noexcept { return width_; }

    /// Room to add to; end_of_group() afterwards.
    std::string& buffer() noexcept { return buffer_; }
    /// Writes where it is time to: the buffer is large, or readers want to see it.
    void end_of_group() {
        if (at_once_ || buffer_.size() >= large) {
            flush();
        }
    }
    void flush();
    /// Whether something could not be written.
    bool failed() const noexcept { return failed_; }

  private:
    static constexpr std::size_t large = 65536;
    int take(sys::unique_fd fd, const std::string& path, const choices& how);
    void mark(shm::record_width width);

    sys::unique_fd fd_;
    std::string path_ = "-";
    choices how_;
    std::string buffer_;
    std::optional<shm::record_width> source_;
    shm::record_width width_ = shm::record_width::narrow;
    bool mark_due_ = false; // it waits until the source is known
    bool at_once_ = false;
    bool failed_ = false;
    bool told_ = false;
};

} // namespace clearcoat::logread
