// Privileges, as `-j` describes them. The manager runs with low effective privileges and raises them for single steps;
// the worker gives them up for good. Nothing here starts threads, and effective ids are per process, so raise only
// where no other thread does privileged work.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace clearcoat::sys {

/// Who the worker becomes; unset: nobody else.
struct worker_identity {
    bool drop = false;
    uid_t uid = 0;
    gid_t gid = 0;
    std::string user; // for its supplementary groups
};

class jail {
  public:
    /// From the words of a `-j` argument ("unix", "user=varnish", ...); empty words: what suits this process. On
    /// failure `error` has the reason in the words users know ("Unix jail: nobody2 user not found."), and the jail must
    /// not be used.
    static std::optional<jail> from_words(const std::vector<std::string>& words, std::string& error);

    /// "linux" (as "unix", with what Linux alone has), "unix" or "none".
    std::string_view name() const noexcept { return linux_ ? "linux" : unix_ ? "unix" : "none"; }
    /// Whether the processes change their ids: in all jails but "none".
    bool changes_ids() const noexcept { return unix_; }
    /// What did not work but need not: a line for the operator, or nothing.
    const std::string& warning() const noexcept { return warning_; }

    /// Lowers the manager's effective ids; raise() undoes it. Both harmless in the jail "none".
    void lower() const noexcept;
    void raise() const noexcept;

    /// Ids for files: those that the manager's and the worker's files get; -1 where unchanged.
    uid_t manager_uid() const noexcept { return unix_ ? uid_ : static_cast<uid_t>(-1); }
    gid_t manager_gid() const noexcept { return unix_ ? gid_ : static_cast<gid_t>(-1); }
    uid_t worker_uid() const noexcept { return unix_ ? work_uid_ : static_cast<uid_t>(-1); }
    gid_t worker_gid() const noexcept { return unix_ ? work_gid_ : static_cast<gid_t>(-1); }

    worker_identity worker() const;

  private:
    static std::optional<jail> automatic();
    std::string take_words(const std::vector<std::string>& words);
    std::string take_word(const std::string& word);
    std::string set_huge_pages(const std::string& setting);
    std::string settle();

    bool unix_ = false;
    bool linux_ = false;
    std::string warning_;
    uid_t uid_ = 0;
    gid_t gid_ = 0;
    gid_t own_gid_ = 0;
    std::string user_;
    uid_t work_uid_ = 0;
    gid_t work_gid_ = 0;
    std::string work_user_;
    std::optional<gid_t> group_; // instead of the users' login group (3.0's -g)
};

/// For the time of a block, the manager has its full privileges.
class raised {
  public:
    explicit raised(const jail& j) noexcept : jail_(j) { jail_.raise(); }
    ~raised() { jail_.lower(); }
    raised(const raised&) = delete;
    raised& operator=(const raised&) = delete;

  private:
    const jail& jail_;
};

/// Becomes `identity` for good, keeping core dumps possible; false with errno set on failure.
bool become(const worker_identity& identity) noexcept;

} // namespace clearcoat::sys
