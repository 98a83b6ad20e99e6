// The running varnishd that a tool is attached to: notices when its manager or worker goes and comes, and maps the
// segments of both. What it says is as of the last refresh(). One thread.
#pragma once

#include "logread/vsm_reader.hpp"
#include "sys/memory.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clearcoat::logread {

/// A segment in our memory, and what is needed to tell whether it is still the current one.
struct mapped_segment {
    segment_entry entry;
    std::uint64_t generation = 0;
    bool worker = false;
    sys::mapping memory; // from the start of its file

    std::span<const std::byte> bytes() const noexcept { return memory.bytes().subspan(entry.offset, entry.size); }
};

class instance {
  public:
    /// `folder` is the work folder.
    explicit instance(const std::string& folder);

    /// Looks at the index files; cheap where nothing changed.
    void refresh();
    bool manager_runs() const noexcept { return manager_.runs; }
    bool worker_runs() const noexcept { return worker_.runs; }
    /// Grows each time another process is seen there.
    std::uint64_t manager_generation() const noexcept { return manager_.generation; }
    std::uint64_t worker_generation() const noexcept { return worker_.generation; }
    /// Grows each time a segment comes or goes.
    std::uint64_t changes() const noexcept { return manager_.changes + worker_.changes; }

    /// Waits until a manager runs: `patience` seconds, for ever where negative. Prints a dot a second on standard
    /// error. False when it does not come, or `stop` becomes true.
    bool wait_for_manager(double patience, const volatile int& stop);

    /// The manager's segments, then the worker's.
    const std::vector<segment_entry>& manager_segments() const noexcept { return manager_.entries; }
    const std::vector<segment_entry>& worker_segments() const noexcept { return worker_.entries; }
    /// Empty when it is gone already.
    std::optional<mapped_segment> map(const segment_entry& entry, bool worker) const;
    /// The first segment of that kind.
    std::optional<mapped_segment> map(std::string_view kind) const;
    bool still_there(const mapped_segment& segment) const;
    /// The text of a segment, up to its NUL.
    std::optional<std::string> text(std::string_view kind, std::string_view ident) const;

  private:
    struct side {
        std::string folder;
        std::string head; // the index's first line: it names the process
        std::uint64_t seen[4] = {};
        bool runs = false;
        std::uint64_t generation = 0;
        std::uint64_t changes = 0;
        std::vector<segment_entry> entries;
    };
    static void refresh(side& s);
    static void lose(side& s);

    side manager_;
    side worker_;
};

} // namespace clearcoat::logread
