#include "body/gzip_bits.hpp"

#include <fmt/core.h>

namespace clearcoat::body {

std::string_view write_gzip_record(std::string_view who, std::uint64_t in, std::uint64_t out, const gzip_bits& bits,
                                   std::span<char> room) noexcept {
    auto result =
        fmt::format_to_n(room.data(), room.size(), "{} {} {} {} {} {}", who, in, out, bits.start, bits.last, bits.stop);
    return {room.data(), result.size < room.size() ? result.size : room.size()};
}

} // namespace clearcoat::body
