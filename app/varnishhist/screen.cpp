#include "screen.hpp"

#include "base/clock.hpp"
#include "base/date.hpp"
#include "logread/signals.hpp"
#include "logread/tool.hpp"
#include "terminal/screen.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>
#include <ncurses.h>
#include <time.h>

namespace clearcoat::varnishhist {
namespace {

/// How many values a cell may stand for.
constexpr std::array<unsigned, 20> scales{1,   2,   3,   4,    5,    10,   15,    20,    25,    50,
                                          100, 250, 500, 1000, 2500, 5000, 10000, 25000, 50000, 100000};

unsigned scale_for(unsigned tallest, int lines) noexcept {
    for (const unsigned scale : scales) {
        if (tallest / scale <= static_cast<unsigned>(std::max(lines, 1))) {
            return scale;
        }
    }
    return scales.back();
}

class hist_screen {
  public:
    hist_screen(board& b, const std::string& name, double delay)
        : board_(b), name_(name), delay_(static_cast<unsigned>(std::clamp(delay, 0.001, 1e6) * 1000)) {}

    void run() {
        while (!logread::tool::stopping() && logread::signals::hups == 0) {
            erase();
            board_.mutex.lock();
            draw();
            board_.mutex.unlock();
            refresh();
            timeout(static_cast<int>(std::min(delay_, 1000000000U)));
            const int key = getch();
            switch (terminal::take_key(key)) {
            case terminal::key_kind::none:
            case terminal::key_kind::resize: // drawn anew in any case
                break;
            case terminal::key_kind::quit:
                logread::tool::stop();
                break;
            case terminal::key_kind::other:
                handle(key);
            }
        }
    }

  private:
    void draw() REQUIRES(board_.mutex) {
        const profile& p = board_.values.shown();
        const int powers = p.high - p.low;
        const int width = std::max(COLS / powers, 1);
        const std::vector<histogram::column> columns = board_.values.columns(static_cast<std::size_t>(width * powers));
        draw_axis(p, width, powers);
        unsigned tallest = 1;
        for (const histogram::column& c : columns) {
            tallest = std::max(tallest, c.misses + c.hits);
        }
        const unsigned scale = scale_for(tallest, LINES - 3);
        draw_heading(scale);
        for (int line = 5; line < LINES - 2; line += 5) {
            terminal::put(LINES - 2 - line, 0, fmt::format("{}_", static_cast<unsigned>(line) * scale));
        }
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const auto misses = static_cast<int>(columns[i].misses / scale);
            const auto all = static_cast<int>((columns[i].misses + columns[i].hits) / scale);
            for (int cell = 0; cell < all; ++cell) {
                terminal::put(LINES - 3 - cell, static_cast<int>(i), cell < misses ? "#" : "|");
            }
        }
    }

    static void draw_axis(const profile& p, int width, int powers) {
        for (int i = 0; i < powers * width; ++i) {
            terminal::put(LINES - 2, i, i % width == 0 ? "+" : "-");
        }
        for (int i = 0; i < powers; ++i) {
            terminal::put(LINES - 1, i * width, fmt::format("|1e{}", p.low + i));
        }
    }

    void draw_heading(unsigned scale) REQUIRES(board_.mutex) {
        const std::string right = board_.end_of_file ? "EOF" : name_;
        terminal::put(0, std::max(COLS - 1 - static_cast<int>(right.size()), 0), right);
        std::string text = fmt::format("1:{}, n = {}, d = {:g}", scale, board_.values.values(), delay_ / 1000.0);
        if (board_.pace != 0 && board_.values.latest() > 0) {
            std::array<char, base::date_size> room;
            text += fmt::format(" @ {} x {:g}", base::format_date(board_.values.latest(), room), board_.pace.load());
        }
        terminal::put(0, 0, text);
    }

    void handle(int key) {
        switch (key) {
        case '+':
            delay_ = std::max(delay_ / 2, 1U);
            break;
        case '-':
            delay_ = std::min(delay_ * 2, 1000000000U);
            break;
        case '<':
            board_.pace = board_.pace == 0 ? 1 : board_.pace / 2;
            break;
        case '>':
            board_.pace = board_.pace == 0 ? 1 : board_.pace * 2;
            break;
        default:
            if (key >= '0' && key <= '9') {
                delay_ = 1000U << (key - '0');
            } else {
                beep();
            }
        }
    }

    board& board_;
    const std::string& name_;
    unsigned delay_; // ms
};

} // namespace

void paced_reader::add(logread::group g) {
    board_.mutex.lock();
    board_.values.add(g);
    const double latest = board_.values.latest();
    board_.mutex.unlock();
    const base::clock& clock = base::system_clock();
    while (latest > 0 && !logread::tool::stopping()) {
        const double pace = board_.pace;
        if (pace != pace_ || log_began_ == 0) {
            pace_ = pace;
            began_ = clock.monotonic();
            log_began_ = latest;
        }
        const double ahead = pace == 0 ? 0 : (latest - log_began_) / pace - (clock.monotonic() - began_);
        if (ahead <= 0) {
            return;
        }
        // In slices, so that a key or a signal is not kept waiting.
        const timespec slice{0, static_cast<long>(std::min(ahead, 0.05) * 1e9)};
        nanosleep(&slice, nullptr);
    }
}

void show(board& b, const std::string& name, double delay) {
    const terminal::screen taken;
    hist_screen(b, name, delay).run();
}

} // namespace clearcoat::varnishhist
