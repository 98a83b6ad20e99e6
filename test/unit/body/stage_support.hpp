// Runs a stage over a text in pieces of given sizes, with so much room a call, and keeps what comes out.
#pragma once

#include "body/stage.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::test {

inline std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

struct stage_run {
    std::string out;
    bool done = false;
    bool failed = false;
};

inline stage_run run_stage(body::stage& s, std::string_view text, std::size_t piece, std::size_t room) {
    stage_run r;
    std::vector<std::byte> buffer(room);
    std::size_t at = 0;
    for (unsigned calls = 0; !r.done && !r.failed && calls < 10'000'000; ++calls) {
        std::size_t size = std::min(piece, text.size() - at);
        body::stage_step step = s.push(bytes_of(text.substr(at, size)), at + size == text.size(), buffer);
        at += step.used;
        r.out.append(reinterpret_cast<const char*>(buffer.data()), step.made);
        r.done = step.state == body::stage_state::done;
        r.failed = step.state == body::stage_state::failed;
    }
    return r;
}

/// Text that compresses, but not to nothing.
inline std::string sample_text(std::size_t size) {
    std::string text;
    unsigned state = 12345;
    while (text.size() < size) {
        state = state * 1103515245u + 12345u;
        text += "word" + std::to_string((state >> 16) % 997) + ((state >> 8) % 7 == 0 ? ".\n" : " ");
    }
    text.resize(size);
    return text;
}

} // namespace clearcoat::test
