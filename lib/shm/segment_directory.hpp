// A folder of shared-memory segments that readers (varnishlog, varnishstat, ...) attach to: `_.vsm_mgt` of the manager
// or
// `_.vsm_child` of the worker in the work folder. Each segment is a file of its own; the file `_.index` lists them, and
// a segment is visible from the moment its line is there. Any thread may create and remove segments (a mutex orders
// them); the memory of a segment is its user's affair.
#pragma once

#include "base/thread_annotations.hpp"
#include "sys/fd.hpp"
#include "sys/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace clearcoat::tables {
struct counter_set;
}

namespace clearcoat::shm {

inline constexpr char manager_folder[] = "_.vsm_mgt";
inline constexpr char worker_folder[] = "_.vsm_child";

class segment_directory;

/// One segment, mapped; gone from the index and unlinked when this is destroyed. Its directory must outlive it.
class segment {
  public:
    segment() = default;
    segment(segment&& other) noexcept;
    segment& operator=(segment&& other) noexcept;
    ~segment() { reset(); }

    explicit operator bool() const noexcept { return directory_ != nullptr; }
    std::span<std::byte> bytes() const noexcept { return {memory_.data(), size_}; }
    /// Adds the line to the index: readers see it, so its contents must be ready.
    void publish();
    void reset() noexcept;

  private:
    friend class segment_directory;
    segment_directory* directory_ = nullptr;
    sys::mapping memory_;
    std::size_t size_ = 0;
    std::string line_; // "FILE 0 SIZE CLASS IDENT"
    bool published_ = false;
};

class segment_directory {
  public:
    /// Takes the existing folder at `path` and begins a new index there. Throws std::system_error.
    explicit segment_directory(const std::string& path);
    segment_directory(const segment_directory&) = delete;
    segment_directory& operator=(const segment_directory&) = delete;
    /// Removes the index, so that readers know that the writer is gone.
    ~segment_directory();

    /// Makes an empty folder at `path`, removing what an earlier process left there; mode as mkdir(2). Throws
    /// std::system_error.
    static void prepare(const std::string& path, unsigned mode);
    /// Removes the folder and its files, if it is there.
    static void remove(const std::string& path) noexcept;

    /// A segment of `size` zero bytes, not yet published. Throws std::system_error when the file cannot be made.
    segment create(std::string_view kind, std::string_view ident, std::size_t size);
    /// A published segment that holds a text with its NUL, as the manager's "Arg" segments.
    segment create_text(std::string_view kind, std::string_view ident, std::string_view text);

    /// Makes the description of a counter set visible, or counts one more use of it; returns its number.
    std::uint64_t describe(const tables::counter_set& set);
    /// Ends one use; the last one removes the description.
    void forget(const tables::counter_set& set) noexcept;

    /// After a fork into a process that is not the writer: destroy without touching the files.
    void disown() noexcept { owned_ = false; }

  private:
    friend class segment;
    struct description {
        segment memory;
        unsigned uses = 0;
    };

    void add_line(const std::string& line) EXCLUDES(mutex_);
    void remove_line(const std::string& line) noexcept EXCLUDES(mutex_);
    void append(std::string_view text) REQUIRES(mutex_);
    bool rewrite() REQUIRES(mutex_);
    std::string head_line() const;

    sys::unique_fd folder_;
    std::int64_t birth_ = 0;
    bool owned_ = true;
    base::mutex mutex_;
    std::list<std::string> lines_ GUARDED_BY(mutex_);
    unsigned removals_ GUARDED_BY(mutex_) = 0; // lines of removal since the last rewrite
    base::mutex descriptions_mutex_;
    std::map<const tables::counter_set*, description> descriptions_ GUARDED_BY(descriptions_mutex_);
};

} // namespace clearcoat::shm
