#include "base/ascii.hpp"
#include "http/h1/dissect.hpp"

#include <algorithm>
#include <cstring>

namespace clearcoat::http::h1 {

namespace {

constexpr std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

} // namespace

bool head_scanner::find_beginning(std::string_view received) noexcept {
    while (leading_ < received.size() &&
           (base::is_blank(received[leading_]) || received[leading_] == '\r' || received[leading_] == '\n')) {
        ++leading_;
    }
    begun_ = leading_ != received.size();
    seen_ = leading_;
    return begun_;
}

scan_state head_scanner::find_end(std::string_view received) noexcept {
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

scan_state head_scanner::scan(std::string_view received) noexcept {
    if (!begun_ && !find_beginning(received)) {
        return scan_state::empty;
    }
    if (received[0] == 'P') {
        std::size_t common = std::min(received.size(), preface.size());
        if (received.substr(0, common) == preface.substr(0, common)) {
            size_ = preface.size();
            return common == preface.size() ? scan_state::h2_preface : scan_state::more;
        }
    }
    return find_end(received);
}

} // namespace clearcoat::http::h1
