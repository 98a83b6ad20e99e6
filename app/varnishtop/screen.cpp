#include "screen.hpp"

#include "logread/signals.hpp"
#include "logread/tool.hpp"

#include <algorithm>
#include <clocale>
#include <csignal>

#include <fmt/core.h>
#include <ncurses.h>
#include <time.h>

namespace clearcoat::varnishtop {
namespace {

constexpr int control(char c) noexcept {
    return c & 0x1f;
}

/// The width of the longest tag's name, so that columns stand still.
int tag_width() noexcept {
    std::size_t longest = 0;
    for (unsigned number = 0; number < 256; ++number) {
        longest = std::max(longest, tables::name_of(static_cast<log_tag>(number)).size());
    }
    return static_cast<int>(longest);
}

class top_screen {
  public:
    top_screen(board& b, const std::string& name, unsigned period)
        : board_(b), name_(name), period_(period), tag_width_(tag_width()) {}

    void run() {
        timeout(1000);
        while (!logread::tool::stopping() && logread::signals::hups == 0) {
            update();
            handle(getch());
        }
    }

  private:
    void update() {
        const time_t now = time(nullptr);
        if (now == last_) {
            return;
        }
        last_ = now;
        refreshes_ += refreshes_ < period_ ? 1 : 0;
        board_.mutex.lock();
        draw();
        board_.mutex.unlock();
        refresh();
    }

    void draw() REQUIRES(board_.mutex) {
        erase();
        const std::string right = board_.end_of_file ? name_ + " (EOF)" : name_;
        mvaddnstr(0, std::max(COLS - 1 - static_cast<int>(right.size()), 0), right.c_str(), COLS);
        mvaddnstr(0, 0, fmt::format("list length {}", board_.entries.size()).c_str(), COLS);
        double smallest = 0;
        int line = 2;
        for (const entry* e : board_.entries.sorted()) {
            if (line >= LINES) {
                break;
            }
            const std::string text =
                fmt::format("{:9.2f} {:<{}} {}", e->count, tables::name_of(e->tag), tag_width_, e->text);
            mvaddnstr(line++, 0, text.c_str(), COLS);
            smallest = e->count;
        }
        if (!board_.end_of_file) {
            board_.entries.fade(refreshes_, smallest, static_cast<std::size_t>(std::max(LINES, 1)));
        }
    }

    void handle(int key) {
        switch (key) {
        case ERR:
            break;
        case KEY_RESIZE:
            last_ = 0;
            break;
        case control('l'):
        case control('t'):
            redrawwin(stdscr);
            refresh();
            break;
        case control('z'):
            endwin();
            std::raise(SIGTSTP);
            break;
        case control('c'):
        case control('q'):
        case 'Q':
        case 'q':
            logread::tool::stop();
            break;
        default:
            beep();
        }
    }

    board& board_;
    const std::string& name_;
    unsigned period_;
    int tag_width_;
    time_t last_ = 0;
    unsigned refreshes_ = 0;
};

} // namespace

void show(board& b, const std::string& name, unsigned period) {
    std::setlocale(LC_ALL, "");
    initscr();
    raw();
    noecho();
    nonl();
    intrflush(stdscr, FALSE);
    curs_set(0);
    top_screen(b, name, period).run();
    endwin();
}

} // namespace clearcoat::varnishtop
