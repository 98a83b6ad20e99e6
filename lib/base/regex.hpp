// A compiled regular expression: PCRE2 with JIT. Compiled once, matched from any thread at once.
#pragma once

#include "base/result.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace clearcoat::base {

/// Limits of one match, 0 for PCRE2's own (parameters pcre2_match_limit, pcre2_depth_limit).
struct regex_limits {
    std::uint32_t match = 0;
    std::uint32_t depth = 0;
};

/// The groups of a match: [0] the whole, [1] to [9] the captures; data() is nullptr where a group took no part.
struct regex_groups {
    std::array<std::string_view, 10> group{};
    int count = 0;
};

enum class regex_verdict { no_match, match, error };

class regex {
  public:
    struct compile_error {
        std::string message; // PCRE2's text
        std::size_t offset;  // bytes into the pattern
    };
    /// Fills `error` and gives nullptr when the pattern is wrong. `jit` off serves patterns that are used once.
    static std::shared_ptr<const regex> compile(std::string_view pattern, bool nocase, compile_error& error,
                                                bool jit = true);

    ~regex();
    regex(const regex&) = delete;
    regex& operator=(const regex&) = delete;

    const std::string& pattern() const noexcept { return pattern_; }
    /// Whether `subject` matches from `start` on, with `not_empty` by more than nothing; `groups`, when given, refers
    /// into `subject`. Allocates nothing once the thread is warm.
    regex_verdict match(std::string_view subject, regex_groups* groups = nullptr, regex_limits limits = {},
                        std::size_t start = 0, bool not_empty = false) const noexcept;

  private:
    regex() = default;
    std::string pattern_;
    void* code_ = nullptr; // pcre2_code, kept out of the header
    bool jitted_ = false;
};

} // namespace clearcoat::base
