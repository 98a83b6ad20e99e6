// What is kept about a gzip stream besides its bytes, and its log line. Bit positions count from the start of the
// stream: they let streams be stitched together without decompressing them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace clearcoat::body {

struct gzip_bits {
    std::uint64_t start = 0;      // the first deflate block
    std::uint64_t last = 0;       // the block that says it is the last
    std::uint64_t stop = 0;       // behind the last block
    std::uint64_t plain_size = 0; // uncompressed bytes; 0 when the stream is not complete
};

/// The text of the Gzip record: "<who> <in> <out> <start> <last> <stop>". `who` is "G F -" (gzip at fetch), "U F -"
/// (gunzip at fetch), "u F -" (test at fetch), "U D -" (gunzip at delivery), "G F E" and so on. 140 bytes of room
/// suffice.
std::string_view write_gzip_record(std::string_view who, std::uint64_t in, std::uint64_t out, const gzip_bits& bits,
                                   std::span<char> room) noexcept;

} // namespace clearcoat::body
