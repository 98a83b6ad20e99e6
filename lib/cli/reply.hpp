// A response in the making: text, status, the size limit (parameter cli_limit), JSON with its prologue, and the
// aligned tables of the list commands.
#pragma once

#include "cli/status.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

namespace clearcoat::cli {

class reply {
  public:
    explicit reply(std::size_t limit = 65536) noexcept : limit_(limit) {}

    /// Adds text, indented as indent() says. Past the limit nothing is added and the status becomes `truncated`.
    void out(std::string_view text);
    template<class... Args>
    void print(fmt::format_string<Args...> format, Args&&... args) {
        out(fmt::format(format, std::forward<Args>(args)...));
    }
    /// Sets the status; `ok` does not undo `truncated`.
    void set(status code) noexcept;
    /// Both, for errors.
    template<class... Args>
    void fail(status code, fmt::format_string<Args...> format, Args&&... args) {
        set(code);
        out(fmt::format(format, std::forward<Args>(args)...));
    }

    status code() const noexcept { return code_; }
    bool ok() const noexcept { return code_ == status::ok || code_ == status::truncated; }
    const std::string& text() const noexcept { return text_; }
    bool overflowed() const noexcept { return code_ == status::truncated || text_.size() >= limit_; }
    /// Forgets text and status.
    void clear() noexcept;

    // JSON. begin writes "[ 2, [words...], time" and indents; every value is then preceded by ",\n" by the caller.
    void json_begin(const std::vector<std::string>& words, double now, unsigned version = 2);
    void json_end();
    /// A quoted JSON string.
    void json_string(std::string_view text);
    void indent(int columns) noexcept { indent_ += columns; }

    /// Lines whose columns are separated by tabs, aligned to at most `width` characters a line.
    void table(std::string_view lines, int width = 80);

    /// The framed response, cut at the limit.
    std::string framed() const;

  private:
    void add(std::string_view text);
    void table_row(std::string_view row, const std::vector<std::size_t>& widths, std::size_t gap);

    std::size_t limit_;
    status code_ = status::ok;
    std::string text_;
    int indent_ = 0;
};

/// `text` with JSON's escapes, without quotes.
std::string json_escape(std::string_view text);

} // namespace clearcoat::cli
