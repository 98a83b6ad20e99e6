// Request heads: scanning, dissecting, framing, copies and formatting. What was accepted must survive being sent and
// read again.
#include "base/arena.hpp"
#include "base/panic.hpp"
#include "http/h1/dissect.hpp"
#include "http/h1/format.hpp"
#include "http/h1/framing.hpp"

#include <array>
#include <string>
#include <vector>

using namespace clearcoat;

namespace {

void check_fields(const http::head& h) {
    for (const http::field& f : h.fields()) {
        CLEARCOAT_ASSERT(f.name_size > 0 && f.name_size < f.size);
        CLEARCOAT_ASSERT(f.line[f.name_size] == ':');
        CLEARCOAT_ASSERT(f.id == http::find_field_id(f.name()));
        CLEARCOAT_ASSERT(f.text().find_first_of("\r\n") == std::string_view::npos);
    }
}

void check_sent_again(const http::head& h, base::arena& memory) {
    std::string text(http::h1::request_size(h), '\0');
    CLEARCOAT_ASSERT(http::h1::format_request(h, text) == text.size());
    http::h1::head_scanner scanner;
    CLEARCOAT_ASSERT(scanner.scan(text) == http::h1::scan_state::complete && scanner.size() == text.size());
    http::head again;
    again.reset(memory, 64);
    http::h1::dissected d = http::h1::dissect_request(text, again, 8192);
    CLEARCOAT_ASSERT(d.ok() && d.size == text.size() && again.fields().size() == h.fields().size());
    for (std::size_t i = 0; i < h.fields().size(); ++i) {
        CLEARCOAT_ASSERT(again.fields()[i].text() == h.fields()[i].text());
    }
    CLEARCOAT_ASSERT(http::h1::framing_of_request(again).kind == http::h1::framing_of_request(h).kind);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<char> received(data, data + size);
    http::h1::head_scanner scanner;
    http::h1::scan_state state = scanner.scan({received.data(), received.size()});
    base::chunk_cache chunks(16 * 1024, 2);
    base::arena memory(chunks);
    http::head h;
    h.reset(memory, 64);
    http::h1::dissected d = http::h1::dissect_request(received, h, 8192);
    std::array<char, 80> room;
    d.write_record(room);
    if (!d.ok()) {
        return 0;
    }
    CLEARCOAT_ASSERT(state != http::h1::scan_state::complete || d.size == scanner.size());
    check_fields(h);
    check_sent_again(h, memory);
    http::h1::host_from_url(h, true);
    http::h1::repeated_field_fault(h);
    http::h1::apply_connection(h);
    http::head copy;
    copy.reset(memory, 64);
    copy.copy_filtered(h, http::filter_use::request_fetch);
    check_fields(copy);
    return 0;
}
