// Which counters varnishstat's screen lists, which of them is marked, and which is on top. No drawing: the caller says
// how many lines the list has.
#pragma once

#include "keys.hpp"
#include "table.hpp"

#include <vector>

namespace clearcoat::varnishstat {

class view {
  public:
    explicit view(const counter_table& table) : table_(table) {}

    /// Shows what is as detailed as the most detailed counter there is, too.
    void show_every_level();
    /// Chooses the rows anew; the mark stays on the counter it was on. `lines` of the list.
    void choose(int lines);
    /// Keeps mark and page within the list.
    void keep_position(int lines);
    /// Moves the mark (up, down, page_up, page_down, top, bottom); false for other actions.
    bool move(action what, int lines);
    void toggle_unseen(int lines);
    void change_level(int by, int lines);

    int size() const noexcept { return static_cast<int>(shown_.size()); }
    /// nullptr behind the end.
    const table_row* row(int index) const noexcept;
    const table_row* marked() const noexcept { return row(current_); }
    int current() const noexcept { return current_; }
    int page_start() const noexcept { return page_start_; }
    logread::counter_level level() const noexcept { return level_; }
    bool hides_unseen() const noexcept { return hide_unseen_; }

  private:
    const counter_table& table_;
    std::vector<const table_row*> shown_;
    int current_ = 0;    // the row that is marked
    int page_start_ = 0; // the row on top
    logread::counter_level level_ = logread::counter_level::info;
    bool hide_unseen_ = true;
};

} // namespace clearcoat::varnishstat
