// Chunked bodies: the first byte says how large the pieces are in which the rest arrives; the result may not depend on
// it.
#include "base/panic.hpp"
#include "http/h1/chunked.hpp"

#include <algorithm>
#include <string>
#include <string_view>

using namespace clearcoat;

namespace {

struct outcome {
    std::string data;
    std::string_view error;
    std::size_t used = 0;
    bool done = false;

    bool operator==(const outcome&) const = default;
};

outcome decode(std::string_view text, std::size_t piece) {
    http::h1::chunk_decoder decoder;
    outcome o;
    while (o.used < text.size() && !decoder.done() && decoder.error().empty()) {
        std::string_view in = text.substr(o.used, piece);
        http::h1::chunk_decoder::step step = decoder.feed(in);
        CLEARCOAT_ASSERT(step.used > 0 && step.used <= in.size() && step.data.size() <= step.used);
        o.data += step.data;
        o.used += step.used;
    }
    o.done = decoder.done();
    o.error = decoder.error();
    return o;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
    outcome whole = decode(text, size);
    CLEARCOAT_ASSERT(decode(text, std::size_t(1) + data[0] % 32) == whole);
    return 0;
}
