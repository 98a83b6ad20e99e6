// Response heads: dissecting, packing into an object and back, formatting, merging.
#include "base/arena.hpp"
#include "base/panic.hpp"
#include "http/conditional.hpp"
#include "http/h1/dissect.hpp"
#include "http/h1/format.hpp"
#include "http/h1/framing.hpp"
#include "http/packed_head.hpp"

#include <string>
#include <vector>

using namespace clearcoat;

namespace {

std::vector<std::byte> pack(const http::head& h) {
    std::vector<std::byte> block(http::packed_size(h, http::filter_use::response_insert));
    http::pack(h, http::filter_use::response_insert, block);
    return block;
}

std::string format(const http::head& h) {
    std::string text(http::h1::response_size(h), '\0');
    CLEARCOAT_ASSERT(http::h1::format_response(h, text) == text.size());
    return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<char> received(data, data + size);
    base::chunk_cache chunks(16 * 1024, 2);
    base::arena memory(chunks);
    http::head h;
    h.reset(memory, 64);
    if (!http::h1::dissect_response(received, h, 8192).ok()) {
        return 0;
    }
    http::h1::framing_of_response(h, "GET");
    http::h1::apply_connection(h);
    std::vector<std::byte> block = pack(h);
    http::packed_head_view view(block);
    http::head stored;
    stored.reset(memory, 64);
    CLEARCOAT_ASSERT(view.decode(stored));
    http::head filtered;
    filtered.reset(memory, 64);
    CLEARCOAT_ASSERT(filtered.copy_filtered(h, http::filter_use::response_insert));
    CLEARCOAT_ASSERT(format(stored) == format(filtered));
    http::weaken_etag(stored);
    http::vary_on_accept_encoding(stored);
    view.merge_into(filtered);
    CLEARCOAT_ASSERT(filtered.fields().size() == view.field_count());
    return 0;
}
