#include "base/ascii.hpp"
#include "http/h1/dissect.hpp"

#include <algorithm>
#include <cstring>

namespace clearcoat::http::h1 {

namespace {

constexpr std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

} // namespace

scan_state head_scanner::scan(std::string_view received) noexcept {
    if (!begun_) {
        while (leading_ < received.size() &&
               (base::is_blank(received[leading_]) || received[leading_] == '\r' || received[leading_] == '\n')) {
            ++leading_;
        }
        if (leading_ == received.size()) {
            return scan_state::empty;
        }
        begun_ = true;
        seen_ = leading_;
    }
    if (received[0] == 'P') {
        std::size_t common = std::min(received.size(), preface.size());
        if (received.substr(0, common) == preface.substr(0, common)) {
            size_ = preface.size();
            return common == preface.size() ? scan_state::h2_preface : scan_state::more;
        }
    }
    const char* begin = received.data();
    const char* end = begin + received.size();
    const char* at = begin + seen_;
    while ((at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)))) != nullptr) {
        const char* next = at + 1;
        if (next != end && *next == '\r') {
            ++next;
        }
        if (next == end) {
            seen_ = static_cast<std::size_t>(at - begin);
            return scan_state::more;
        }
        if (*next == '\n') {
            size_ = static_cast<std::size_t>(next + 1 - begin);
            return scan_state::complete;
        }
        at = next;
    }
    seen_ = received.size();
    return scan_state::more;
}

} // namespace clearcoat::http::h1
