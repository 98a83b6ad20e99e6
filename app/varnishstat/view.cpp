#include "view.hpp"

#include <algorithm>

namespace clearcoat::varnishstat {

using logread::counter_level;

const table_row* view::row(int index) const noexcept {
    return index >= 0 && index < size() ? shown_[static_cast<std::size_t>(index)] : nullptr;
}

void view::show_every_level() {
    for (const table_row& row : table_.rows()) {
        level_ = std::max(level_, row.source->level);
    }
}

void view::choose(int lines) {
    const table_row* was_marked = marked();
    const int line = current_ - page_start_;
    shown_.clear();
    for (const table_row& row : table_.rows()) {
        if (row.source->level <= level_ && (row.seen || !hide_unseen_)) {
            shown_.push_back(&row);
        }
    }
    const auto found = std::find(shown_.begin(), shown_.end(), was_marked);
    const bool at_top = current_ == 0 && page_start_ == 0; // rows that come in above are to be seen then
    if (was_marked != nullptr && found != shown_.end() && !at_top) {
        current_ = static_cast<int>(found - shown_.begin());
        page_start_ = current_ - line;
    }
    keep_position(lines);
}

void view::keep_position(int lines) {
    const int last = std::max(size() - 1, 0);
    current_ = std::clamp(current_, 0, last);
    page_start_ = std::clamp(std::min(page_start_, current_), 0, last);
    page_start_ = std::max(page_start_, current_ - (lines - 1));
}

bool view::move(action what, int lines) {
    switch (what) {
    case action::up:
        --current_;
        break;
    case action::down:
        ++current_;
        break;
    case action::page_up:
        current_ -= lines;
        page_start_ -= lines;
        break;
    case action::page_down:
        current_ += lines;
        page_start_ += page_start_ + lines < size() - 1 ? lines : 0;
        break;
    case action::top:
        current_ = 0;
        break;
    case action::bottom:
        current_ = size() - 1;
        break;
    default:
        return false;
    }
    keep_position(lines);
    return true;
}

void view::toggle_unseen(int lines) {
    hide_unseen_ = !hide_unseen_;
    choose(lines);
}

void view::change_level(int by, int lines) {
    level_ = static_cast<counter_level>(
        std::clamp(static_cast<int>(level_) + by, 0, static_cast<int>(counter_level::debug)));
    choose(lines);
}

} // namespace clearcoat::varnishstat
