// The options that all tools of the log share: which transactions and records to show (-b -c -E -i -I -x -X -C), and
// the limits of grouping (-L -R -T). No I/O: errors are texts for the tool to print.
#pragma once

#include "base/clock.hpp"
#include "base/regex.hpp"
#include "logread/record.hpp"
#include "logread/tag_set.hpp"

#include <memory>
#include <string>
#include <vector>

namespace clearcoat::logread {

/// At most `count` groups in `period`; 0: as many as there are.
struct rate_limit {
    double count = 0;
    base::seconds period = 1;
};

class log_options {
  public:
    enum class verdict { taken, unknown, wrong };
    /// Takes one option; `wrong` fills `error` ("-i: \"foo\" matches zero tags").
    verdict take(char letter, std::string_view argument, std::string& error);

    /// Whether the record is to be shown.
    bool shows(record r) const noexcept;

    bool backend = false;        // -b
    bool client = false;         // -c, -E
    bool caseless = false;       // -C
    bool esi = false;            // -E
    bool verbose = false;        // -v
    unsigned limit = 1000;       // -L: incomplete transactions
    rate_limit rate;             // -R
    base::seconds timeout = 120; // -T

  private:
    struct pattern {
        bool all_tags = true;
        tag_set tags;
        std::shared_ptr<const base::regex> expression;
    };

    verdict take_tags(char letter, std::string_view list, std::string& error);
    verdict take_pattern(char letter, std::string_view argument, std::string& error);
    verdict take_limit(std::string_view argument, std::string& error);
    verdict take_rate(std::string_view argument, std::string& error);
    verdict take_timeout(std::string_view argument, std::string& error);
    static bool matches(const std::vector<pattern>& patterns, record r) noexcept;

    tag_set hidden_;
    std::vector<pattern> shown_patterns_;
    std::vector<pattern> hidden_patterns_;
    bool selecting_ = false; // an option of tags was seen
};

} // namespace clearcoat::logread
