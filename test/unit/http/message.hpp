// A head made from text, with the memory it lives in, and a listener that writes down what it hears.
#pragma once

#include "base/arena.hpp"
#include "http/h1/dissect.hpp"
#include "http/head.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace clearcoat::test {

class recorder final : public http::head_listener {
  public:
    void head_changed(http::head_part part, std::string_view text) noexcept override {
        constexpr const char* names[] = {"method", "url", "protocol", "status", "reason", "field", "unset", "lost"};
        heard.push_back(std::string(names[static_cast<int>(part)]) + " " + std::string(text));
    }
    std::vector<std::string> heard;
};

struct message {
    base::chunk_cache chunks{8192, 4};
    base::arena memory{chunks};
    std::vector<char> text;
    http::head head;
    http::h1::dissected outcome;

    message() { head.reset(memory, 64); }
    std::string field_text(std::size_t index) const { return std::string(head.fields()[index].text()); }
    std::vector<std::string> lines() const {
        std::vector<std::string> all;
        for (const http::field& f : head.fields()) {
            all.emplace_back(f.text());
        }
        return all;
    }
};

struct request : message {
    explicit request(std::string_view received, std::size_t max_line = 8192, unsigned max_hdr = 64) {
        text.assign(received.begin(), received.end());
        head.reset(memory, max_hdr);
        outcome = http::h1::dissect_request(text, head, max_line);
    }
    /// A GET with these field lines.
    static std::string get(std::string_view fields) { return "GET / HTTP/1.1\r\n" + std::string(fields) + "\r\n"; }
};

struct response : message {
    explicit response(std::string_view received, std::size_t max_line = 8192, unsigned max_hdr = 64) {
        text.assign(received.begin(), received.end());
        head.reset(memory, max_hdr);
        outcome = http::h1::dissect_response(text, head, max_line);
    }
    static std::string ok(std::string_view fields) { return "HTTP/1.1 200 OK\r\n" + std::string(fields) + "\r\n"; }
};

} // namespace clearcoat::test
