#include "screen.hpp"

#include "base/clock.hpp"
#include "cells.hpp"
#include "keys.hpp"
#include "logread/signals.hpp"
#include "table.hpp"
#include "terminal/screen.hpp"
#include "view.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <ncurses.h>

namespace clearcoat::varnishstat {
namespace {

using terminal::put;

// Lines of the screen: status, heading, list, footing, what the counter means.
constexpr int status_lines = 3;
constexpr int info_lines = 3;
constexpr int bars = 2;
constexpr int fewest_rows = 3;
constexpr int shortest_name = 24;
constexpr double notice_time = 1.25;

class stat_screen {
  public:
    stat_screen(logread::instance& instance, logread::counter_filter filter, bool raw)
        : instance_(instance), filter_(std::move(filter)), has_filter_(!filter_.empty()), raw_(raw),
          counters_(instance_, filter_), table_(counters_), view_(table_), help_(help_lines()) {
        if (has_filter_) {
            for (const char* name : {"MGT.uptime", "MAIN.uptime", "MAIN.cache_hit", "MAIN.cache_miss"}) {
                filter_.require(name);
            }
        }
    }

    void run();

  private:
    static double now() { return base::system_clock().monotonic(); }
    static bool ended() noexcept { return logread::signals::ended != 0 || logread::signals::hups != 0; }

    void follow();
    void keep_position();
    void handle(action what);
    void handle_in_list(action what);
    void handle_in_help(action what);
    void change_interval(double by);

    int list_lines() const;
    bool has_info() const { return LINES - (status_lines + bars + info_lines) >= fewest_rows; }
    int name_width() const;
    void draw();
    void draw_status();
    void draw_uptime(int line, const char* label, bool runs, std::uint64_t uptime);
    void draw_bars();
    void draw_list();
    void draw_help();
    void draw_info();

    logread::instance& instance_;
    logread::counter_filter filter_;
    bool has_filter_;
    bool raw_;
    logread::counter_list counters_;
    counter_table table_;
    view view_;
    std::vector<help_line> help_;

    bool scaled_ = true;
    bool helping_ = false;
    int help_start_ = 0;
    bool going_ = true;
    double interval_ = 1;
    double sampled_ = -1e9;
    std::string notice_;
    double notice_until_ = 0;
    std::uint64_t generations_ = 0;
};

void stat_screen::run() {
    follow();
    if (has_filter_) {
        view_.show_every_level();
    }
    view_.choose(list_lines());
    while (going_ && !ended()) {
        follow();
        const double time = now();
        if (time - sampled_ >= interval_) {
            sampled_ = time;
            if (table_.sample(time, raw_)) {
                view_.choose(list_lines());
            }
        }
        draw();
        const double left = sampled_ + interval_ - now();
        timeout(std::clamp(static_cast<int>(left * 1000) + 1, 1, 1000));
        const int key = getch();
        if (key == KEY_RESIZE) {
            clear();
            keep_position();
        } else if (const std::optional<action> what = action_of(key)) {
            handle(*what);
        }
    }
}

void stat_screen::follow() {
    if (table_.refresh()) {
        view_.choose(list_lines());
    }
    const std::uint64_t generations = instance_.manager_generation() + instance_.worker_generation();
    if (generations != generations_) {
        generations_ = generations;
        table_.restart_hit_rate();
    }
}

void stat_screen::keep_position() {
    view_.keep_position(list_lines());
    help_start_ = std::clamp(help_start_, 0, std::max(static_cast<int>(help_.size()) - list_lines(), 0));
}

void stat_screen::handle(action what) {
    switch (what) {
    case action::quit:
    case action::interrupt:
        going_ = false;
        return;
    case action::suspend:
        terminal::suspend();
        return;
    case action::help:
        helping_ = !helping_;
        help_start_ = 0;
        clear();
        return;
    default:
        helping_ ? handle_in_help(what) : handle_in_list(what);
        keep_position();
    }
}

void stat_screen::handle_in_help(action what) {
    const int page = list_lines();
    help_start_ += what == action::up          ? -1
                   : what == action::down      ? 1
                   : what == action::page_up   ? -page
                   : what == action::page_down ? page
                                               : 0;
    if (what == action::top || what == action::bottom) {
        help_start_ = what == action::top ? 0 : static_cast<int>(help_.size());
    }
}

void stat_screen::handle_in_list(action what) {
    if (view_.move(what, list_lines())) {
        return;
    }
    switch (what) {
    case action::unseen:
        return view_.toggle_unseen(list_lines());
    case action::raw:
        raw_ = !raw_;
        break;
    case action::scale:
        scaled_ = !scaled_;
        break;
    case action::restart_averages:
        return table_.restart_averages();
    case action::slower:
        return change_interval(0.1);
    case action::faster:
        return change_interval(-0.1);
    case action::verbose:
        return view_.change_level(1, list_lines());
    case action::quiet:
        return view_.change_level(-1, list_lines());
    default: // sample
        sampled_ = -1e9;
    }
}

void stat_screen::change_interval(double by) {
    interval_ = std::max(interval_ + by, 0.1);
    notice_ = fmt::format("Refresh interval set to {:.1f} seconds.", interval_);
    notice_until_ = now() + notice_time;
}

int stat_screen::list_lines() const {
    return std::max(LINES - (status_lines + bars + (has_info() ? info_lines : 0)), 1);
}

int stat_screen::name_width() const {
    return std::max(COLS - columns * column_width, shortest_name);
}

void stat_screen::draw() {
    erase();
    draw_status();
    if (helping_) {
        draw_help();
    } else {
        draw_list();
        draw_bars();
        draw_info();
    }
    refresh();
}

void stat_screen::draw_uptime(int line, const char* label, bool runs, std::uint64_t uptime) {
    put(line, 0, label);
    if (runs) {
        put(line, 14, duration_text(uptime));
    } else {
        attron(A_STANDOUT);
        put(line, 14, "  Not Running");
        attroff(A_STANDOUT);
    }
}

void stat_screen::draw_status() {
    constexpr int room_for_rates = 70;
    constexpr int rates_width = 37;
    draw_uptime(0, "Uptime mgt:   ", instance_.manager_runs(), table_.manager_uptime());
    draw_uptime(1, "Uptime child: ", instance_.worker_runs(), table_.worker_uptime());
    put(2, 0, now() < notice_until_ ? notice_ : "Press <h> to toggle help screen");
    if (COLS > room_for_rates) {
        const means& m = table_.hit_rate();
        put(0, COLS - rates_width,
            fmt::format("Hitrate n: {:8} {:8} {:8}", m.ten.count, m.hundred.count, m.thousand.count));
        put(1, COLS - rates_width,
            fmt::format("   avg(n): {:8.4f} {:8.4f} {:8.4f}", m.ten.mean, m.hundred.mean, m.thousand.mean));
    }
}

void stat_screen::draw_bars() {
    const int top = status_lines;
    const int bottom = top + 1 + list_lines();
    const int count = view_.size();
    attron(A_REVERSE);
    for (const int line : {top, bottom}) {
        put(line, 0, std::string(static_cast<std::size_t>(COLS), ' '));
    }
    put(top, 0, view_.page_start() > 0 ? "^^^ NAME" : "    NAME");
    put(top, name_width(), heading_cells(COLS - name_width()));
    put(bottom, 0, view_.page_start() + list_lines() < count ? "vvv" : "");
    if (view_.marked() != nullptr) {
        put(bottom, 4, view_.marked()->source->name);
    }
    constexpr const char* labels[] = {"INFO", "DIAG", "DEBUG"};
    const int end = std::min(view_.page_start() + list_lines(), count);
    std::string state = raw_ ? "RAW  " : "";
    state += view_.hides_unseen() ? "" : "UNSEEN  ";
    state += fmt::format("{}  {}-{}/{}", labels[static_cast<int>(view_.level())],
                         count == 0 ? 0 : view_.page_start() + 1, end, count);
    put(bottom, std::max(COLS - static_cast<int>(state.size()), 0), state);
    attroff(A_REVERSE);
}

void stat_screen::draw_list() {
    const int width = name_width();
    for (int i = 0; i < list_lines(); ++i) {
        const int index = view_.page_start() + i;
        if (view_.row(index) == nullptr) {
            break;
        }
        const table_row& row = *view_.row(index);
        std::string name = row.source->name;
        if (name.size() > static_cast<std::size_t>(width)) {
            name = name.substr(0, static_cast<std::size_t>(width - 3)) + "...";
        }
        attrset(index == view_.current() ? A_BOLD : A_NORMAL);
        put(status_lines + 1 + i, 0, name);
        put(status_lines + 1 + i, width, value_cells(row, COLS - width, scaled_));
        attrset(A_NORMAL);
    }
}

void stat_screen::draw_help() {
    for (int i = 0; i < list_lines(); ++i) {
        const auto index = static_cast<std::size_t>(help_start_ + i);
        if (index >= help_.size()) {
            break;
        }
        attrset(help_[index].heading ? A_BOLD : A_NORMAL);
        put(status_lines + 1 + i, help_[index].heading ? 0 : 4, help_[index].text);
        attrset(A_NORMAL);
    }
}

/// The meaning of the marked counter, its lines filled.
void stat_screen::draw_info() {
    if (!has_info() || view_.marked() == nullptr) {
        return;
    }
    const logread::counter& c = *view_.marked()->source;
    const int top = LINES - info_lines;
    put(top, 0, c.oneliner + ":");
    std::string line;
    int at = top + 1;
    const auto flush_line = [&line, &at] {
        put(at++, 0, line);
        line.clear();
    };
    std::size_t begin = 0;
    while ((begin = c.docs.find_first_not_of(" \n\t", begin)) != std::string::npos && at < LINES) {
        const std::size_t end = std::min(c.docs.find_first_of(" \n\t", begin), c.docs.size());
        if (!line.empty() && line.size() + 1 + end - begin > static_cast<std::size_t>(COLS)) {
            flush_line();
        }
        line += (line.empty() ? "" : " ") + c.docs.substr(begin, end - begin);
        begin = end;
    }
    if (!line.empty() && at < LINES) {
        flush_line();
    }
}

} // namespace

void show(logread::instance& instance, logread::counter_filter filter, bool raw_values) {
    const terminal::screen taken;
    stat_screen(instance, std::move(filter), raw_values).run();
}

} // namespace clearcoat::varnishstat
