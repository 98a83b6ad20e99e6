// Records written as `varnishlog -g raw` prints them, a line each: "1001 ReqURL c /index.html".
#pragma once

#include "logread/assembler.hpp"
#include "logread/print.hpp"
#include "shm/record_layout.hpp"

#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace clearcoat::test {

inline void add_record(std::vector<std::uint32_t>& words, log_tag tag, base::vxid_number vxid, shm::vxid_kind kind,
                       const std::string& text, shm::record_width width = shm::record_width::narrow) {
    const auto bytes = static_cast<std::uint32_t>(text.size() + 1);
    const shm::layout::record_head head = shm::layout::make_head(width, tag, bytes, vxid, kind);
    words.insert(words.end(), head.words, head.words + head.count);
    const std::size_t at = words.size();
    words.resize(at + shm::layout::words_for(bytes));
    std::memcpy(&words[at], text.data(), text.size());
}

inline std::vector<std::uint32_t> log_words(const std::string& lines,
                                            shm::record_width width = shm::record_width::narrow) {
    std::vector<std::uint32_t> words;
    std::istringstream in(lines);
    for (std::string line; std::getline(in, line);) {
        std::istringstream fields(line);
        base::vxid_number vxid = 0;
        std::string tag, side, text;
        if (!(fields >> vxid >> tag >> side)) {
            continue;
        }
        std::getline(fields >> std::ws, text);
        const auto known = tables::find_log_tag(tag);
        if (!known) {
            throw std::invalid_argument(line);
        }
        add_record(words, *known, vxid,
                   side == "c"   ? shm::vxid_kind::client
                   : side == "b" ? shm::vxid_kind::backend
                                 : shm::vxid_kind::none,
                   text, width);
    }
    return words;
}

/// A clock that stands still until it is turned.
struct manual_clock : base::clock {
    base::seconds now = 1000;
    base::seconds real() const noexcept override { return now; }
    base::seconds monotonic() const noexcept override { return now; }
};

/// Feeds words and keeps what comes out, printed.
struct assembling {
    explicit assembling(logread::grouping how, const std::string& query = {}) : grouping(how) {
        std::string error;
        auto compiled = query.empty() ? nullptr : logread::query::compile(query, false, error);
        made = std::make_unique<logread::assembler>(options, how, std::move(compiled), clock, [this](logread::group g) {
            ++groups;
            logread::print_group(g, options, text);
            return groups < most;
        });
    }

    bool feed(const std::string& lines) {
        const auto words = log_words(lines);
        return made->feed({words, false, false});
    }
    bool feed_batch(const std::string& lines) {
        const auto words = log_words(lines);
        return made->feed({words, true, false});
    }
    /// What came out since the last call.
    std::string take() { return std::exchange(text, {}); }

    logread::log_options options;
    logread::grouping grouping;
    manual_clock clock;
    std::string text;
    int groups = 0;
    int most = 1000000;
    std::unique_ptr<logread::assembler> made;
};

} // namespace clearcoat::test
