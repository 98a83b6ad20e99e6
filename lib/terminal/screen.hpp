// The terminal as a whole screen, for the tools that draw one: set up, given back, and the keys that mean the same in
// all of them. Drawing itself is curses. One thread at a time, the one that made the screen.
#pragma once

#include <string>

namespace clearcoat::terminal {

/// Takes the terminal while it lives: no line discipline, no echo, no cursor, keys with names as single codes.
class screen {
  public:
    screen();
    ~screen();
    screen(const screen&) = delete;
    screen& operator=(const screen&) = delete;
};

/// The code of a letter with the control key.
constexpr int control(char letter) noexcept {
    return letter & 0x1f;
}

/// Writes what fits on the line; nothing where the place is not on the screen.
void put(int line, int column, const std::string& text);

/// Gives the terminal back, stops this process as ^Z does, and draws anew when it goes on.
void suspend();

enum class key_kind : unsigned char { none, resize, quit, other };

/// Does what a key does on every screen: ^L and ^T draw anew, ^Z suspends. `none` needs nothing more, `other` is a key
/// of the caller's own. `key` is what getch() returned.
key_kind take_key(int key);

} // namespace clearcoat::terminal
