#include "http/status.hpp"

#include "base/panic.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace clearcoat::http {

namespace {

struct phrase {
    unsigned status;
    std::string_view text;
};

constexpr phrase phrases[] = {
    {100, "Continue"},
    {101, "Switching Protocols"},
    {102, "Processing"},
    {103, "Early Hints"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {203, "Non-Authoritative Information"},
    {204, "No Content"},
    {205, "Reset Content"},
    {206, "Partial Content"},
    {207, "Multi-Status"},
    {208, "Already Reported"},
    {226, "IM Used"},
    {300, "Multiple Choices"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {305, "Use Proxy"},
    {306, "(Unused)"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {407, "Proxy Authentication Required"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Request Entity Too Large"},
    {414, "Request-URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Requested Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Entity"},
    {423, "Locked"},
    {424, "Failed Dependency"},
    {425, "Too Early"},
    {426, "Upgrade Required"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {451, "Unavailable For Legal Reasons"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {506, "Variant Also Negotiates"},
    {507, "Insufficient Storage"},
    {508, "Loop Detected"},
    {510, "Not Extended"},
    {511, "Network Authentication Required"},
};

constexpr std::array<char, 3000> make_digits() noexcept {
    std::array<char, 3000> digits{};
    for (std::size_t i = 0; i < 1000; ++i) {
        digits[3 * i] = static_cast<char>('0' + i / 100);
        digits[3 * i + 1] = static_cast<char>('0' + i / 10 % 10);
        digits[3 * i + 2] = static_cast<char>('0' + i % 10);
    }
    return digits;
}

constexpr std::array<char, 3000> digits = make_digits();

} // namespace

std::string_view reason_phrase(unsigned status) noexcept {
    status %= 1000;
    const phrase* p = std::lower_bound(std::begin(phrases), std::end(phrases), status,
                                       [](const phrase& row, unsigned wanted) { return row.status < wanted; });
    return p != std::end(phrases) && p->status == status ? p->text : std::string_view("Unknown HTTP Status");
}

std::string_view status_digits(unsigned status) noexcept {
    status %= 1000;
    CLEARCOAT_ASSERT(status >= 100);
    return {&digits[3 * status], 3};
}

} // namespace clearcoat::http
