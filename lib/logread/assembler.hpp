// Puts records together to transactions and transactions to groups, as -g names them: by Begin, Link and End records.
// Transactions that do not end are forced to after a time (-T) or when too many are kept (-L), with VSL records that
// tell so. No I/O and no shared memory: records come in by feed(), groups go out through the sink. One thread.
#pragma once

#include "base/clock.hpp"
#include "base/intrusive_list.hpp"
#include "logread/log_options.hpp"
#include "logread/query.hpp"
#include "logread/transaction.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace clearcoat::logread {

/// What a source gives at once: whole records of one batch, or a run of single records of one transaction.
struct record_run {
    std::span<const std::uint32_t> words;
    bool batch = false;  // written at once: looked at as a whole
    bool stable = false; // the words stay where they are as long as the source lives
};

class assembler {
  public:
    /// Gets each group; false ends the work: feed() and flush() return false at once.
    using sink = std::function<bool(group)>;

    /// `options` and `time` outlive the assembler; `wanted` may be nullptr.
    assembler(const log_options& options, grouping how, std::unique_ptr<const query> wanted, const base::clock& time,
              sink out);
    ~assembler();
    assembler(const assembler&) = delete;
    assembler& operator=(const assembler&) = delete;

    /// False when the sink ended the work.
    bool feed(const record_run& run);
    /// Forces what is incomplete to be complete and hands it out.
    bool flush();
    /// Drops all that was kept: the words of a source are about to go.
    void discard() noexcept;

    std::size_t kept() const noexcept { return by_vxid_.size(); }

  private:
    struct node;
    using node_list = base::intrusive_list<node>;
    struct child_tag;

    bool feed_raw(const record_run& run);
    bool feed_batch(const record_run& run);
    bool feed_singles(const record_run& run);
    node* node_for(record first);
    bool is_candidate(record begin) const noexcept;
    bool settle();

    node& add(vxid_value id);
    node* find(vxid_value id) noexcept;
    void scan(node& n, record r);
    void scan_begin(node& n, record r);
    void scan_link(node& n, record r);
    void adopt(node& parent, node& child) noexcept;
    void complete(node& n);
    void force(node& n, std::string_view why);
    void note(node& n, std::string_view message);
    void note(node& n, std::string_view message, record about);
    void synthesize(node& n, log_tag tag, std::string_view text);

    bool hand_out_ready();
    bool hand_out(node& top);
    bool wanted_type(const node& top) const noexcept;
    bool deliver(group g);
    bool within_rate();
    void retire(node& n) noexcept;

    const log_options& options_;
    grouping how_;
    std::unique_ptr<const query> query_;
    const base::clock& time_;
    sink out_;

    std::unordered_map<vxid_value, node*> by_vxid_;
    node* last_ = nullptr; // found or added last
    node_list incomplete_; // oldest first
    node_list ready_;
    std::vector<std::unique_ptr<node>> spare_;
    std::vector<transaction> members_; // of the group being handed out
    std::vector<node*> member_nodes_;

    base::seconds now_ = 0; // at the last feed()
    double credits_ = 1;
    base::seconds rated_at_;
};

} // namespace clearcoat::logread
