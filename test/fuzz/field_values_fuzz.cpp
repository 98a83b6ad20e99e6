// The values of fields that we interpret: the first line of the input is the value, the rest another request's.
#include "base/arena.hpp"
#include "base/panic.hpp"
#include "http/conditional.hpp"
#include "http/date.hpp"
#include "http/freshness.hpp"
#include "http/h1/framing.hpp"
#include "http/range.hpp"
#include "http/tokens.hpp"
#include "http/vary.hpp"

#include <array>
#include <string>
#include <string_view>

using namespace clearcoat;

namespace {

void check_date(std::string_view value) {
    double when = http::parse_date(value);
    std::array<char, http::date_size> room;
    if (when != 0) {
        CLEARCOAT_ASSERT(http::parse_date(http::format_date(when, room)) == when);
    }
}

void check_range(std::string_view value) {
    for (std::uint64_t length : {std::uint64_t(0), std::uint64_t(1), std::uint64_t(1000), std::uint64_t(INT64_MAX)}) {
        http::range_decision d = http::decide_range(value, length);
        if (d.what == http::range_decision::action::partial) {
            CLEARCOAT_ASSERT(d.low <= d.high && d.high < length);
        }
    }
    http::decide_range(value, std::nullopt);
}

void check_vary(const http::head& response, const http::head& request, const http::head& other, base::arena& memory) {
    http::vary_built built = http::build_vary(response, request, memory);
    if (built.error.empty()) {
        CLEARCOAT_ASSERT(http::vary_matches(built.spec, request, false));
        http::vary_matches(built.spec, other, true);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string text(reinterpret_cast<const char*>(data), size);
    for (char& c : text) {
        c = (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f ? ' ' : c;
    }
    std::size_t line_end = text.find('\n');
    std::string_view value = std::string_view(text).substr(0, line_end);
    std::string_view rest =
        line_end == std::string::npos ? std::string_view() : std::string_view(text).substr(line_end + 1);
    check_date(value);
    check_range(value);
    base::chunk_cache chunks(16 * 1024, 2);
    base::arena memory(chunks);
    http::head request;
    http::head response;
    request.reset(memory, 64);
    response.reset(memory, 64);
    response.set_status_line_silently("HTTP/1.1", 11, 200, "OK");
    for (http::field_id id :
         {http::field_id::range, http::field_id::if_range, http::field_id::accept_encoding,
          http::field_id::if_none_match, http::field_id::if_modified_since, http::field_id::connection}) {
        request.add(id, value);
    }
    for (http::field_id id : {http::field_id::content_range, http::field_id::content_length, http::field_id::etag,
                              http::field_id::age, http::field_id::cache_control, http::field_id::expires,
                              http::field_id::date, http::field_id::last_modified, http::field_id::vary}) {
        response.add(id, value);
    }
    http::head other;
    other.reset(memory, 64);
    other.add(http::field_id::accept_encoding, rest);
    std::array<char, 200> room;
    check_vary(response, request, other, memory);
    http::if_range_allows(request, response);
    http::answers_not_modified(request, response, 1e9, 1e9);
    http::accepts_gzip(request);
    http::compute_freshness(response, 1e9, {}, false).write_record(true, room);
    http::check_partial_response(request, response, room);
    http::h1::apply_connection(request);
    return 0;
}
