#include "screen.hpp"

#include "logread/signals.hpp"
#include "logread/tool.hpp"
#include "terminal/screen.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <ncurses.h>
#include <time.h>

namespace clearcoat::varnishtop {
namespace {

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
        terminal::put(0, std::max(COLS - 1 - static_cast<int>(right.size()), 0), right);
        terminal::put(0, 0, fmt::format("list length {}", board_.entries.size()));
        double smallest = 0;
        int line = 2;
        for (const entry* e : board_.entries.sorted()) {
            if (line >= LINES) {
                break;
            }
            terminal::put(line++, 0,
                          fmt::format("{:9.2f} {:<{}} {}", e->count, tables::name_of(e->tag), tag_width_, e->text));
            smallest = e->count;
        }
        if (!board_.end_of_file) {
            board_.entries.fade(refreshes_, smallest, static_cast<std::size_t>(std::max(LINES, 1)));
        }
    }

    void handle(int key) {
        switch (terminal::take_key(key)) {
        case terminal::key_kind::none:
            break;
        case terminal::key_kind::resize:
            last_ = 0;
            break;
        case terminal::key_kind::quit:
            logread::tool::stop();
            break;
        case terminal::key_kind::other:
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
    const terminal::screen taken;
    top_screen(b, name, period).run();
}

} // namespace clearcoat::varnishtop
