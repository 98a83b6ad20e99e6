// ESI pages: the first byte says how large the pieces are. What is stored must be the page, the program must fit it,
// and gzipped or not, in any pieces, the same must be delivered.
#include "base/panic.hpp"
#include "body/esi/deliver.hpp"
#include "body/esi/parse_stage.hpp"
#include "body/gunzip_stage.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

using namespace clearcoat;
using namespace clearcoat::body;

namespace {

struct silence final : esi::problem_log {
    void esi_record(esi::problem::severity, std::string_view) noexcept override {}
};

std::string run(stage& s, std::string_view text, std::size_t piece) {
    std::array<std::byte, 700> room;
    std::string out;
    std::size_t at = 0;
    for (;;) {
        std::size_t size = std::min(piece, text.size() - at);
        std::span<const std::byte> in = std::as_bytes(std::span(text.data() + at, size));
        stage_step step = s.push(in, at + size == text.size(), room);
        CLEARCOAT_ASSERT(step.state != stage_state::failed);
        out.append(reinterpret_cast<const char*>(room.data()), step.made);
        at += step.used;
        if (step.state == stage_state::done) {
            return out;
        }
    }
}

/// The page as sent, with a mark for each include.
std::string deliver(std::string_view program, std::string_view stored) {
    using action = esi::delivery::step::action;
    if (program.empty()) {
        return std::string(stored);
    }
    esi::delivery d(program);
    std::string sent;
    for (esi::delivery::step s = d.next(); s.what != action::done; s = d.next()) {
        if (s.what == action::send) {
            sent.append(reinterpret_cast<const char*>(s.bytes.data()), s.bytes.size());
            continue;
        }
        CLEARCOAT_ASSERT(s.size <= stored.size());
        if (s.what == action::text) {
            sent += stored.substr(0, static_cast<std::size_t>(s.size));
        }
        stored.remove_prefix(static_cast<std::size_t>(s.size));
    }
    return sent;
}

std::string gunzip(std::string_view stream) {
    auto s = gunzip_stage::create();
    return run(*s, stream, 1000);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    std::string_view page(reinterpret_cast<const char*>(data + 1), size - 1);
    esi::parser_options options;
    options.disable_xml_check = (data[0] & 32) != 0;
    options.ignore_other_elements = (data[0] & 64) != 0;
    options.remove_bom = (data[0] & 128) != 0;
    std::size_t piece = std::size_t(1) + data[0] % 32;
    silence log;
    esi::esi_stage whole("/dir/page", options, log);
    CLEARCOAT_ASSERT(run(whole, page, size) == page);
    std::string expected = deliver(whole.program(), page);
    esi::esi_stage pieces("/dir/page", options, log);
    CLEARCOAT_ASSERT(run(pieces, page, piece) == page);
    CLEARCOAT_ASSERT(deliver(pieces.program(), page) == expected);
    auto zip = esi::esi_gzip_stage::create("/dir/page", options, log, 1, 1);
    std::string stored = run(*zip, page, piece);
    CLEARCOAT_ASSERT(gunzip(stored) == page);
    CLEARCOAT_ASSERT(gunzip(deliver(zip->program(), stored)) == expected);
    return 0;
}
