// What the head of a small cache hit costs: finding its end, taking it apart, looking fields up, writing the answer.
#include "benchmarks/micro/harness.hpp"

#include "http/date.hpp"
#include "http/h1/dissect.hpp"
#include "http/h1/format.hpp"
#include "http/h1/framing.hpp"
#include "http/packed_head.hpp"

#include <array>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

using namespace clearcoat;

namespace {

constexpr std::string_view request_text =
    "GET /articles/2024/05/how-caches-work.html HTTP/1.1\r\n"
    "Host: www.example.com\r\n"
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:124.0) Gecko/20100101 Firefox/124.0\r\n"
    "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n"
    "Accept-Language: en-GB,en;q=0.7,de;q=0.3\r\n"
    "Accept-Encoding: gzip, deflate, br\r\n"
    "Connection: keep-alive\r\n"
    "Cookie: session=0123456789abcdef; theme=dark\r\n"
    "Upgrade-Insecure-Requests: 1\r\n"
    "Sec-Fetch-Dest: document\r\n"
    "If-None-Match: \"5f3-61a8c2d1e4b00\"\r\n"
    "\r\n";

constexpr std::string_view response_text = "HTTP/1.1 200 OK\r\n"
                                           "Date: Tue, 05 Nov 2024 10:11:12 GMT\r\n"
                                           "Server: Apache/2.4.57 (Debian)\r\n"
                                           "Last-Modified: Mon, 04 Nov 2024 08:00:00 GMT\r\n"
                                           "ETag: \"5f3-61a8c2d1e4b00\"\r\n"
                                           "Cache-Control: public, max-age=600\r\n"
                                           "Vary: Accept-Encoding\r\n"
                                           "Content-Length: 1024\r\n"
                                           "Content-Type: text/html; charset=utf-8\r\n"
                                           "\r\n";

struct fixture {
    base::chunk_cache chunks{32 * 1024, 4};
    base::arena memory{chunks};
    std::vector<char> text;
    std::vector<std::byte> packed;

    fixture() : text(request_text.begin(), request_text.end()) {
        std::vector<char> response(response_text.begin(), response_text.end());
        http::head h;
        h.reset(memory, 64);
        http::h1::dissect_response(response, h, 8192);
        packed.resize(http::packed_size(h, http::filter_use::response_insert));
        http::pack(h, http::filter_use::response_insert, packed);
        memory.reset();
    }
};

void measure_request(fixture& f) {
    bench::measure("request: find the end", [&f] {
        http::h1::head_scanner scanner;
        bench::keep(scanner.scan({f.text.data(), f.text.size()}));
    });
    bench::measure("request: dissect 10 fields", [&f] {
        f.memory.reset();
        http::head h;
        h.reset(f.memory, 64);
        bench::keep(http::h1::dissect_request(f.text, h, 8192));
    });
    bench::measure("request: dissect and seven lookups", [&f] {
        f.memory.reset();
        http::head h;
        h.reset(f.memory, 64);
        http::h1::dissect_request(f.text, h, 8192);
        for (http::field_id id :
             {http::field_id::host, http::field_id::connection, http::field_id::expect, http::field_id::range,
              http::field_id::if_none_match, http::field_id::authorization, http::field_id::cookie}) {
            bench::keep(h.find(id));
        }
        bench::keep(http::h1::framing_of_request(h));
        bench::keep(http::h1::apply_connection(h));
    });
}

void measure_response(fixture& f) {
    std::array<char, 4096> room;
    http::packed_head_view object(f.packed);
    bench::measure("response: decode 8 fields", [&] {
        f.memory.reset();
        http::head h;
        h.reset(f.memory, 64);
        bench::keep(object.decode(h));
    });
    bench::measure("response: decode, add four, format", [&] {
        f.memory.reset();
        http::head h;
        h.reset(f.memory, 64);
        object.decode(h);
        h.add(http::field_id::x_varnish, "32770 3");
        h.add(http::field_id::age, "17");
        h.add_line("Via: 1.1 cache (Varnish/7.1)");
        h.add_line("Accept-Ranges: bytes");
        h.add_line("Connection: keep-alive");
        bench::keep(http::h1::format_response(h, room));
    });
    f.memory.reset();
    http::head h;
    h.reset(f.memory, 64);
    object.decode(h);
    bench::measure("response: format 8 fields", [&] { bench::keep(http::h1::format_response(h, room)); });
}

void measure_values() {
    std::array<char, http::date_size> room;
    bench::measure("date: parse", [] { bench::keep(http::parse_date("Tue, 05 Nov 2024 10:11:12 GMT")); });
    bench::measure("date: format", [&room] { bench::keep(http::format_date(1730801472.0, room)); });
    bench::measure("field name: known", [] { bench::keep(http::find_field_id("Accept-Encoding")); });
}

} // namespace

int main(int argc, char** argv) {
    bench::set_up(argc, argv);
    fixture f;
    measure_request(f);
    measure_response(f);
    measure_values();
    return 0;
}
