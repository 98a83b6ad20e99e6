// Collects what the compiler has to say, in the layout users and scripts know: the message, the place, the source line
// and a line of marks under it. Belongs to one compilation.
#pragma once

#include "vcl/syntax/token.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

namespace clearcoat::vcl::syntax {

class diagnostics {
  public:
    bool failed() const noexcept { return failed_; }
    void set_failed() noexcept { failed_ = true; }
    const std::string& text() const noexcept { return text_; }
    std::string take() noexcept { return std::move(text_); }

    template<class... Args>
    void print(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    }
    /// The token as messages name it: quoted, or "end of input".
    void token_name(const token& t);
    /// Place, line and marks of one token; fails the compilation.
    void where(const token& t);
    /// The same from `first` to `last`, which may stand on different lines.
    void where(const token& first, const token& last);
    /// Turns the failure just reported into a warning.
    void only_warning();

  private:
    void quote_line(std::string_view line);
    void mark_line(std::string_view line, const char* begin, const char* end);

    std::string text_;
    bool failed_ = false;
};

/// Line and column (both from 1, tabs to multiples of 8) of a position in a source.
struct position {
    unsigned line = 1;
    unsigned column = 1;
};
position position_of(const source& from, const char* at) noexcept;

/// Positions asked for in ascending order, each found from the one before: for those who need many.
class position_cursor {
  public:
    position at(const source& from, const char* place) noexcept;

  private:
    const source* from_ = nullptr;
    const char* place_ = nullptr;
    unsigned line_ = 1;
    unsigned width_ = 0; // columns before place_
};

} // namespace clearcoat::vcl::syntax
