// How a record lies in the log: the one place that knows, for writers and readers alike. A record is a head of 32-bit
// words, then the text with a NUL, padded to whole words. There are two layouts:
//   narrow  two words (tag and length; transaction number and its kind): what libvarnishapi up to 7.2 reads
//   wide    a third word with the upper bits of 64-bit numbers, a version in the first one, and three tags fewer, so
//           that those behind them have lower numbers: what libvarnishapi reads since 7.3
// A record tells by its first word which one it has; the head of a batch does not.
#pragma once

#include "base/log.hpp"
#include "tables/log_tags.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace clearcoat::shm {

/// What sort of task a transaction number belongs to.
enum class vxid_kind : std::uint8_t { none, client, backend };

enum class record_width : std::uint8_t { narrow, wide };

namespace layout {

inline constexpr unsigned segments = 8;
inline constexpr unsigned overhead = 2;      // words before a narrow record's text
inline constexpr unsigned wide_overhead = 3; // and before a wide one's
inline constexpr std::uint32_t length_mask = 0xffff;
inline constexpr std::uint32_t version_mask = 3U << 16;
inline constexpr std::uint32_t wide_version = 1U << 16;
inline constexpr std::uint32_t client_marker = 1U << 30; // in the last word of the head, as the next
inline constexpr std::uint32_t backend_marker = 1U << 31;
inline constexpr base::vxid_number id_mask = (1U << 30) - 1;
inline constexpr base::vxid_number wide_id_mask = (1ULL << 51) - 1;
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

constexpr std::string_view head_marker(record_width width) noexcept {
    return width == record_width::wide ? "VSLHEAD2" : "VSLHEAD1";
}
/// What a saved log begins with.
constexpr std::string_view file_marker(record_width width) noexcept {
    using namespace std::string_view_literals;
    return width == record_width::wide ? "VSL2"sv : "VSL\0"sv;
}
constexpr unsigned overhead_of(record_width width) noexcept {
    return width == record_width::wide ? wide_overhead : overhead;
}
/// Transaction numbers have no other bits. VCL's integers have 15 digits, which is less than a wide record could hold.
constexpr base::vxid_number usable_ids(record_width width) noexcept {
    return width == record_width::wide ? (1ULL << 49) - 1 : id_mask;
}

constexpr std::uint32_t words_for(std::uint32_t bytes) noexcept {
    return (bytes + 3) / 4;
}
/// All words of a narrow record whose text, with its NUL, has that many bytes.
constexpr std::uint32_t record_words(std::uint32_t bytes) noexcept {
    return overhead + words_for(bytes);
}
constexpr std::uint32_t header(log_tag tag, std::uint32_t bytes) noexcept {
    return static_cast<std::uint32_t>(tag) << 24 | (bytes & length_mask);
}
constexpr std::uint32_t kind_marker(vxid_kind kind) noexcept {
    return kind == vxid_kind::client ? client_marker : kind == vxid_kind::backend ? backend_marker : 0;
}
constexpr std::uint32_t id_word(base::vxid_number vxid, vxid_kind kind) noexcept {
    return static_cast<std::uint32_t>(vxid & id_mask) | kind_marker(kind);
}

// The tags' numbers in wide records and back; 0 for what has none.
constexpr bool gone_from_wide(unsigned number) noexcept {
    const auto tag = static_cast<log_tag>(number);
    return tag == log_tag::BackendReuse || tag == log_tag::Backend || tag == log_tag::BackendStart;
}
constexpr std::array<std::uint8_t, 256> make_wide_numbers() noexcept {
    std::array<std::uint8_t, 256> numbers{};
    std::uint8_t next = 0;
    for (unsigned number = 0; number < static_cast<unsigned>(log_tag::reserved); ++number) {
        numbers[number] = gone_from_wide(number) ? std::uint8_t{0} : next++;
    }
    return numbers;
}
inline constexpr std::array<std::uint8_t, 256> wide_numbers = make_wide_numbers();
constexpr std::array<log_tag, 256> make_tags_of_wide() noexcept {
    std::array<log_tag, 256> tags{};
    for (unsigned number = 1; number < wide_numbers.size(); ++number) {
        if (wide_numbers[number] != 0) {
            tags[wide_numbers[number]] = static_cast<log_tag>(number);
        }
    }
    return tags;
}
inline constexpr std::array<log_tag, 256> tags_of_wide = make_tags_of_wide();

/// The words before a record's text.
struct record_head {
    std::uint32_t words[wide_overhead];
    unsigned count = 0; // 0: the layout has no such tag
};
constexpr record_head make_head(record_width width, log_tag tag, std::uint32_t bytes, base::vxid_number vxid,
                                vxid_kind kind) noexcept {
    if (width == record_width::narrow) {
        return {{header(tag, bytes), id_word(vxid, kind), 0}, overhead};
    }
    const std::uint8_t number = wide_numbers[static_cast<std::uint8_t>(tag)];
    vxid &= wide_id_mask;
    return {{header(static_cast<log_tag>(number), bytes) | wide_version, static_cast<std::uint32_t>(vxid),
             static_cast<std::uint32_t>(vxid >> 32) | kind_marker(kind)},
            number == 0 ? 0 : wide_overhead};
}

// Reading. What is asked of a record must lie within the words that there are.
constexpr bool is_wide(std::uint32_t first_word) noexcept {
    return (first_word & version_mask) != 0;
}
constexpr unsigned overhead_of(std::uint32_t first_word) noexcept {
    return is_wide(first_word) ? wide_overhead : overhead;
}
constexpr std::uint32_t length_of(const std::uint32_t* record) noexcept {
    return record[0] & length_mask;
}
/// All words of the record that begins with this one.
constexpr std::uint32_t size_of(std::uint32_t first_word) noexcept {
    return overhead_of(first_word) + words_for(first_word & length_mask);
}
constexpr log_tag tag_of(const std::uint32_t* record) noexcept {
    const std::uint32_t number = record[0] >> 24;
    return is_wide(record[0]) ? tags_of_wide[number] : static_cast<log_tag>(number);
}
constexpr base::vxid_number vxid_of(const std::uint32_t* record) noexcept {
    return is_wide(record[0]) ? (base::vxid_number{record[2]} << 32 | record[1]) & wide_id_mask : record[1] & id_mask;
}
constexpr vxid_kind kind_of(const std::uint32_t* record) noexcept {
    const std::uint32_t word = record[is_wide(record[0]) ? 2 : 1];
    return (word & client_marker) != 0    ? vxid_kind::client
           : (word & backend_marker) != 0 ? vxid_kind::backend
                                          : vxid_kind::none;
}
inline const char* data_of(const std::uint32_t* record) noexcept {
    return reinterpret_cast<const char*>(record + overhead_of(record[0]));
}
/// The text without its NUL.
inline std::string_view text_of(const std::uint32_t* record) noexcept {
    std::uint32_t length = length_of(record);
    return {data_of(record), length == 0 ? 0 : length - 1};
}
/// The bytes of records behind a batch's header.
constexpr std::uint32_t batch_bytes(const std::uint32_t* batch) noexcept {
    return batch[1];
}

} // namespace layout
} // namespace clearcoat::shm
