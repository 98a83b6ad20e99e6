// Collects the bytes of a management connection into commands: lines, and here-documents ("<< token"). Before
// authentication a line is cut at 80 bytes and here-documents are off, as the reference does.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::cli {

/// A complete command.
struct command_line {
    std::string line;               // as it came, without a here-document's text; logs print it
    std::vector<std::string> words; // the here-document's text is the last word
    std::string_view error;         // why the line cannot be split; empty: it can
    bool ignore_failure = false;    // it began with '-'
};

class line_reader {
  public:
    /// Feeds bytes and calls `on_command` for each complete command until it returns false; then feed() returns false
    /// and the rest is dropped.
    bool feed(std::string_view bytes, const std::function<bool(const command_line&)>& on_command);

    void set_authenticated(bool on) noexcept { authenticated_ = on; }

  private:
    bool end_line(const std::function<bool(const command_line&)>& on_command);
    bool here_byte(char c, const std::function<bool(const command_line&)>& on_command);
    bool begin_here_document();

    bool authenticated_ = false;
    bool in_line_ = false;
    bool in_here_ = false;
    std::string line_;
    command_line pending_;
    std::string token_;
    std::size_t matched_ = 0;
    std::string text_;
};

} // namespace clearcoat::cli
