#include "cli/status.hpp"

#include "base/ascii.hpp"

#include <charconv>
#include <fmt/core.h>

namespace clearcoat::cli {

std::string frame_response(status code, std::string_view text) {
    return fmt::format("{:<3} {:<8}\n{}\n", static_cast<unsigned>(code), text.size(), text);
}

std::optional<status_line> parse_status_line(std::string_view line) noexcept {
    if (line.size() != status_line_size || line[3] != ' ' || line.back() != '\n') {
        return std::nullopt;
    }
    unsigned code = 0;
    std::size_t size = 0;
    const char* begin = line.data();
    const auto first = std::from_chars(begin, begin + 3, code);
    const auto second = std::from_chars(begin + 4, begin + 12, size);
    if (first.ec != std::errc() || second.ec != std::errc()) {
        return std::nullopt;
    }
    return status_line{static_cast<status>(code), size};
}

} // namespace clearcoat::cli
