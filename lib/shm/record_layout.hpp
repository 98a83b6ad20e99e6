// How a record lies in the log: the one place that knows, for writers and readers alike. This is the layout that
// libvarnishapi 7.1 reads: two 32-bit words (tag and length; transaction number and its kind), then the text with a
// NUL, padded to whole words. Readers since 7.4 want three words; a switch at start-up would select constants here.
#pragma once

#include "base/log.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace clearcoat::shm {

/// What sort of task a transaction number belongs to.
enum class vxid_kind : std::uint8_t { none, client, backend };

namespace layout {

inline constexpr char head_marker[] = "VSLHEAD1";
inline constexpr unsigned segments = 8;
inline constexpr unsigned overhead = 2; // words before the text
inline constexpr std::uint32_t length_mask = 0xffff;
inline constexpr std::uint32_t client_marker = 1U << 30;
inline constexpr std::uint32_t backend_marker = 1U << 31;
inline constexpr std::uint32_t id_mask = ~(3U << 30);
inline constexpr std::uint32_t end_marker = 254U << 24 | 0x454545;
inline constexpr std::uint32_t wrap_marker = 254U << 24 | 0x575757;
inline constexpr std::uint32_t batch_header = 255U << 24;

/// What the segment of class "Log" begins with.
struct head {
    char marker[8]; // written last
    std::int64_t segment_words;
    std::uint32_t segment_number; // counts on for ever; modulo `segments` it is the one being written
    std::uint32_t padding;
    std::int64_t offsets[segments]; // in words: the first record of each segment; -1: none yet
};
static_assert(sizeof(head) == 88);

constexpr std::uint32_t words_for(std::uint32_t bytes) noexcept {
    return (bytes + 3) / 4;
}
/// All words of a record whose text, with its NUL, has that many bytes.
constexpr std::uint32_t record_words(std::uint32_t bytes) noexcept {
    return overhead + words_for(bytes);
}
constexpr std::uint32_t header(log_tag tag, std::uint32_t bytes) noexcept {
    return static_cast<std::uint32_t>(tag) << 24 | (bytes & length_mask);
}
constexpr std::uint32_t id_word(base::vxid_number vxid, vxid_kind kind) noexcept {
    std::uint32_t mark = kind == vxid_kind::client ? client_marker : kind == vxid_kind::backend ? backend_marker : 0;
    return (static_cast<std::uint32_t>(vxid) & id_mask) | mark;
}

// Reading.
constexpr log_tag tag_of(const std::uint32_t* record) noexcept {
    return static_cast<log_tag>(record[0] >> 24);
}
constexpr std::uint32_t length_of(const std::uint32_t* record) noexcept {
    return record[0] & length_mask;
}
constexpr base::vxid_number vxid_of(const std::uint32_t* record) noexcept {
    return record[1] & id_mask;
}
constexpr vxid_kind kind_of(const std::uint32_t* record) noexcept {
    return (record[1] & client_marker) != 0    ? vxid_kind::client
           : (record[1] & backend_marker) != 0 ? vxid_kind::backend
                                               : vxid_kind::none;
}
/// The text without its NUL.
inline std::string_view text_of(const std::uint32_t* record) noexcept {
    std::uint32_t length = length_of(record);
    return {reinterpret_cast<const char*>(record + overhead), length == 0 ? 0 : length - 1};
}
/// The bytes of records behind a batch's header.
constexpr std::uint32_t batch_bytes(const std::uint32_t* batch) noexcept {
    return batch[1];
}

} // namespace layout
} // namespace clearcoat::shm
