// The reader's side of shared memory: finds segments through the index files of a work folder. Reads what is there when
// asked; nothing is kept open between calls.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::logread {

/// The work folder of an instance name as `-n` takes it: empty for the default one, a path, or a name below the state
/// folder.
std::string work_folder(std::string_view name);
/// The same where no `-n` may be given: then the environment's VARNISH_DEFAULT_N takes its place.
std::string chosen_work_folder(const std::optional<std::string>& name);

struct segment_entry {
    std::string file; // relative to the segment folder
    std::size_t offset = 0;
    std::size_t size = 0;
    std::string kind;  // "Log", "Stat", "Arg", ...
    std::string ident; // may be empty
};

/// What an index says; empty when it is not one (no head line).
std::optional<std::vector<segment_entry>> parse_index(std::string_view text);

class vsm_reader {
  public:
    /// `folder` is the work folder; the process reading is the manager's unless `worker`.
    explicit vsm_reader(std::string folder, bool worker = false);

    /// Whether a manager (or worker) has an index there now.
    bool running() const;
    /// The segments there now; empty when none is running.
    std::vector<segment_entry> segments() const;
    /// The text of the first segment of that kind and ident, up to its NUL.
    std::optional<std::string> text(std::string_view kind, std::string_view ident) const;

  private:
    std::string folder_; // of the segments
};

} // namespace clearcoat::logread
