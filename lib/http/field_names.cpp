#include "http/field_names.hpp"

#include <array>
#include <cstring>

namespace clearcoat::http {

namespace {

constexpr std::uint8_t P = static_cast<std::uint8_t>(filter_use::request_pass);
constexpr std::uint8_t F = static_cast<std::uint8_t>(filter_use::request_fetch);
constexpr std::uint8_t I = static_cast<std::uint8_t>(filter_use::response_insert);
constexpr std::uint8_t S = static_cast<std::uint8_t>(filter_use::response_pass);
constexpr std::uint8_t C = static_cast<std::uint8_t>(filter_use::connection_specific);
constexpr std::uint8_t N = 128; // ours: Connection may name it

struct row {
    std::string_view name;
    std::uint8_t uses;
};

constexpr row rows[] = {
    {"", N},
#define FIELD(identifier, name, uses) {name, uses},
#include "http/field_names.def"
#undef FIELD
};
constexpr std::size_t row_count = std::size(rows);
static_assert(row_count == static_cast<std::size_t>(field_id::count));

constexpr std::size_t slot_count = 256;
constexpr std::size_t longest = 20;

/// Bit 5 makes letters lower case; '-' and digits have it already.
constexpr unsigned folded(char c) noexcept {
    return static_cast<unsigned char>(c) | 0x20u;
}

constexpr unsigned slot_of(std::string_view name, unsigned multiplier) noexcept {
    unsigned mixed = static_cast<unsigned>(name.size()) + folded(name.front()) * 31 + folded(name.back()) * 1021 +
                     folded(name[name.size() / 2]) * 8191;
    return (mixed * multiplier) >> 24;
}

constexpr bool is_perfect(unsigned multiplier) noexcept {
    std::array<bool, slot_count> taken{};
    for (std::size_t i = 1; i < row_count; ++i) {
        unsigned slot = slot_of(rows[i].name, multiplier);
        if (taken[slot]) {
            return false;
        }
        taken[slot] = true;
    }
    return true;
}

constexpr unsigned find_multiplier() noexcept {
    unsigned multiplier = 0x9e3779b1u;
    while (!is_perfect(multiplier)) {
        multiplier = multiplier * 1664525u + 1013904223u;
    }
    return multiplier;
}

constexpr unsigned multiplier = find_multiplier();

constexpr std::array<std::uint8_t, slot_count> fill_slots() noexcept {
    std::array<std::uint8_t, slot_count> slots{};
    for (std::size_t i = 1; i < row_count; ++i) {
        slots[slot_of(rows[i].name, multiplier)] = static_cast<std::uint8_t>(i);
    }
    return slots;
}

constexpr std::array<std::uint8_t, slot_count> slots = fill_slots();

template<class Word>
bool words_equal(const char* a, const char* b) noexcept {
    Word x;
    Word y;
    std::memcpy(&x, a, sizeof x);
    std::memcpy(&y, b, sizeof y);
    constexpr Word fold = static_cast<Word>(0x2020202020202020u);
    return static_cast<Word>((x ^ y) & static_cast<Word>(~fold)) == 0;
}

/// Two words that overlap cover any length between one and two of them.
template<class Word>
bool ends_equal(const char* a, const char* b, std::size_t size) noexcept {
    return words_equal<Word>(a, b) && words_equal<Word>(a + size - sizeof(Word), b + size - sizeof(Word));
}

bool names_equal(const char* a, const char* b, std::size_t size) noexcept {
    if (size >= 16) {
        return ends_equal<std::uint64_t>(a, b, 16) && ends_equal<std::uint64_t>(a + size - 8, b + size - 8, 8);
    }
    if (size >= 8) {
        return ends_equal<std::uint64_t>(a, b, size);
    }
    if (size >= 4) {
        return ends_equal<std::uint32_t>(a, b, size);
    }
    return ends_equal<std::uint16_t>(a, b, size);
}

} // namespace

field_id find_field_id(std::string_view name) noexcept {
    if (name.size() < 2 || name.size() > longest) {
        return field_id::other;
    }
    std::uint8_t candidate = slots[slot_of(name, multiplier)];
    const row& r = rows[candidate];
    if (r.name.size() != name.size() || !names_equal(r.name.data(), name.data(), name.size())) {
        return field_id::other;
    }
    return static_cast<field_id>(candidate);
}

bool is_filtered(field_id id, filter_use use) noexcept {
    return (rows[static_cast<std::size_t>(id)].uses & static_cast<std::uint8_t>(use)) != 0;
}

bool may_not_be_named_by_connection(field_id id) noexcept {
    return (rows[static_cast<std::size_t>(id)].uses & (P | N)) == 0;
}

} // namespace clearcoat::http
