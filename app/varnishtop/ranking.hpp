// The most frequent log records: a count for each text of each tag, which fades as the screen goes on. No drawing. One
// thread at a time; the tool guards it with a mutex.
#pragma once

#include "logread/log_options.hpp"
#include "logread/transaction.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace clearcoat::varnishtop {

struct entry {
    log_tag tag;
    std::string text; // counted by; with -f the first field of `shown`
    std::string shown;
    double count = 0;
};

class ranking {
  public:
    /// `first_field`: records count as the same up to the first blank or colon (-f).
    explicit ranking(bool first_field) : first_field_(first_field) {}

    void add(logread::group g, const logread::log_options& options);
    /// The entries, most frequent first.
    std::vector<const entry*> sorted() const;
    /// One refresh of the screen, the n-th up to the period: every count goes towards the mean of a third a second, and
    /// entries are dropped that are below a tenth of `smallest_shown`, or far below the screen of `lines` lines.
    void fade(unsigned n, double smallest_shown, std::size_t lines);
    std::size_t size() const noexcept { return entries_.size(); }

  private:
    bool first_field_;
    std::unordered_map<std::string, entry> entries_; // by tag and text
};

/// "     3.00 ReqURL /", a line for each entry (-1).
std::string list_text(const ranking& r);

} // namespace clearcoat::varnishtop
