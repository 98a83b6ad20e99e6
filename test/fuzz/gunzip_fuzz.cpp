// Compressed bodies: gunzip and testgunzip must agree with each other whatever the pieces, and terminate.
#include "base/panic.hpp"
#include "body/gunzip_stage.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

using namespace clearcoat;

namespace {

constexpr std::size_t most_output = 1 << 20;

enum class verdict { done, failed, too_much };

verdict run(body::stage& s, std::span<const std::byte> in, std::size_t piece) {
    std::array<std::byte, 512> room;
    std::size_t made = 0;
    while (made < most_output) {
        std::span<const std::byte> part = in.first(std::min(piece, in.size()));
        body::stage_step step = s.push(part, part.size() == in.size(), room);
        CLEARCOAT_ASSERT(step.used <= part.size() && step.made <= room.size());
        in = in.subspan(step.used);
        made += step.made;
        if (step.state == body::stage_state::done) {
            return verdict::done;
        }
        if (step.state == body::stage_state::failed) {
            return verdict::failed;
        }
    }
    return verdict::too_much;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::span<const std::byte> in = std::as_bytes(std::span(data, size));
    auto unzip = body::gunzip_stage::create();
    verdict first = run(*unzip, in, size + 1);
    unzip->reset();
    CLEARCOAT_ASSERT(run(*unzip, in, 7) == first);
    auto check = body::testgunzip_stage::create();
    if (first != verdict::too_much) {
        CLEARCOAT_ASSERT(run(*check, in, 100) == first);
    }
    return 0;
}
