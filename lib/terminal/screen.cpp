#include "terminal/screen.hpp"

#include <clocale>
#include <csignal>

#include <ncurses.h>

namespace clearcoat::terminal {

screen::screen() {
    std::setlocale(LC_ALL, "");
    initscr();
    raw();
    noecho();
    nonl();
    intrflush(stdscr, FALSE);
    keypad(stdscr, TRUE);
    curs_set(0);
}

screen::~screen() {
    endwin();
}

void put(int line, int column, const std::string& text) {
    if (line >= 0 && line < LINES && column >= 0 && column < COLS) {
        mvaddnstr(line, column, text.c_str(), COLS - column);
    }
}

void suspend() {
    endwin();
    std::raise(SIGTSTP);
    refresh();
}

key_kind take_key(int key) {
    switch (key) {
    case ERR:
        return key_kind::none;
    case KEY_RESIZE:
        return key_kind::resize;
    case control('l'):
    case control('t'):
        redrawwin(stdscr);
        refresh();
        return key_kind::none;
    case control('z'):
        suspend();
        return key_kind::none;
    case control('c'):
    case control('q'):
    case 'Q':
    case 'q':
        return key_kind::quit;
    default:
        return key_kind::other;
    }
}

} // namespace clearcoat::terminal
