// How a text becomes a parameter's value: limits and error texts are the reference's, since scripts match on them. A
// text with an error changes nothing.
#include "tables/param_values.hpp"

#include "base/ascii.hpp"
#include "base/numbers.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/core.h>

namespace clearcoat::tables {
namespace {

constexpr double largest_decimal = 999999999999.999; // RFC 8941 §3.3.2
constexpr std::uint32_t unlimited = std::numeric_limits<std::uint32_t>::max();

/// Decimal, 0x hexadecimal or 0 octal, as strtoul(3) with base 0 takes them; no sign.
bool scan_uint(std::string_view text, std::uint32_t& value) noexcept {
    int base = 10;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text.remove_prefix(2);
    } else if (text.size() > 1 && text[0] == '0') {
        base = 8;
    }
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

bool check_uint(std::string_view value, const std::string& min, const std::string& max, param_id id,
                std::uint32_t& number, std::string& error) {
    std::uint32_t limit = 0;
    if (base::equal_nocase(value, "unlimited")) {
        number = unlimited;
    } else if (!scan_uint(value, number)) {
        error = fmt::format("Not a number ({})\n", value);
        return false;
    }
    auto because = [](std::string_view reason) { return reason.empty() ? "" : fmt::format(" ({})", reason); };
    if (scan_uint(min, limit) && number < limit) {
        error = fmt::format("Must be at least {}{}\n", min, because(min_reason(id)));
        return false;
    }
    if (scan_uint(max, limit) && number > limit) {
        error = fmt::format("Must be no more than {}{}\n", max, because(max_reason(id)));
        return false;
    }
    return true;
}

/// Takes the unit behind a number of seconds into account, where there is one.
void apply_unit(std::string_view value, base::scanned_number& scanned) noexcept {
    if (scanned.error != nullptr || scanned.size == value.size()) {
        return;
    }
    const std::optional<base::seconds> scaled = base::scale_duration(scanned.value, value.substr(scanned.size));
    if (scaled) {
        scanned.value = *scaled;
    } else {
        scanned.error = "Invalid duration unit";
    }
}

bool check_real(std::string_view value, const std::string& min, const std::string& max, bool is_duration,
                double& number, std::string& error) {
    base::scanned_number scanned = base::scan_number(value, false);
    if (is_duration) {
        apply_unit(value, scanned);
    }
    if (scanned.error == nullptr && std::fabs(scanned.value) > largest_decimal) {
        scanned.error = "Too many digits";
    }
    if (scanned.error != nullptr) {
        error = fmt::format("{} ({})\n", scanned.error, value);
        return false;
    }
    number = scanned.value;
    if (!min.empty() && number < base::scan_number(min, false).value) {
        error = fmt::format("Must be greater or equal to {}\n", min);
        return false;
    }
    if (!max.empty() && number > base::scan_number(max, false).value) {
        error = fmt::format("Must be less than or equal to {}\n", max);
        return false;
    }
    return true;
}

/// Turns bits on and off by name, or all of them; `find` gives a name's bit or a negative number.
template<class Find, class Turn, class TurnAll>
bool change_bits(std::string_view value, std::string_view what, Find find, Turn turn, TurnAll turn_all,
                 std::string& error) {
    for (std::string_view word : comma_words(value)) {
        if (word == "none" || word == "all") {
            turn_all(word == "all");
            continue;
        }
        if (word.empty() || (word[0] != '+' && word[0] != '-')) {
            error = fmt::format("Missing '+' or '-' ({})\n", word);
            return false;
        }
        int bit = find(word.substr(1));
        if (bit < 0) {
            error = fmt::format("Unknown {} ({})\n", what, word);
            return false;
        }
        turn(static_cast<unsigned>(bit), word[0] == '+');
    }
    return true;
}

int find_bit(std::span<const bit_row> rows, std::string_view name) noexcept {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (base::equal_nocase(rows[i].name, name)) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

std::string_view what_bits(param_id id) noexcept {
    switch (id) {
    case param_id::feature:
        return "feature bit";
    case param_id::debug:
        return "debug bit";
    case param_id::experimental:
        return "experimental bit";
    default:
        return "vcc_feature bit";
    }
}

} // namespace

bool parameter_set::parse(const param_row& row, std::string_view value, std::string& error) {
    switch (row.kind) {
    case param_kind::boolean:
    case param_kind::vcc_bit:
        return parse_bool(row, value, error);
    case param_kind::uint:
    case param_kind::uint_or_zero:
        return parse_uint(row, value, error);
    case param_kind::duration:
    case param_kind::real:
        return parse_real(row, value, error);
    case param_kind::bytes:
    case param_kind::bytes_u:
        return parse_bytes(row, value, error);
    case param_kind::bits:
        return parse_bits(row, value, error);
    case param_kind::mask:
        return parse_mask(row, value, error);
    case param_kind::text:
        return parse_text(row, value, error);
    case param_kind::storage:
        return parse_storage(row, value, error);
    case param_kind::pool:
        return parse_pool(row, value, error);
    case param_kind::alias:
        return parse(*find_param(row.def), value, error);
    }
    return false;
}

bool parameter_set::parse_bool(const param_row& row, std::string_view value, std::string& error) {
    bool on = false;
    for (std::string_view word : {"on", "enable", "yes", "true"}) {
        on = on || base::equal_nocase(value, word);
    }
    bool off = false;
    for (std::string_view word : {"off", "disable", "no", "false"}) {
        off = off || base::equal_nocase(value, word);
    }
    if (!on && !off) {
        error = "use \"on\" or \"off\"\n";
        return false;
    }
    if (row.kind == param_kind::boolean) {
        block_.set_word(row.id, on ? 1 : 0);
    } else {
        std::uint64_t bit = std::uint64_t{1} << vcc_bit_of(row.id);
        std::uint64_t word = block_.word(param_id::vcc_feature);
        block_.set_word(param_id::vcc_feature, on ? word | bit : word & ~bit);
    }
    return true;
}

bool parameter_set::parse_uint(const param_row& row, std::string_view value, std::string& error) {
    std::uint32_t number = 0;
    const slot& limits = slot_of(row.id);
    bool zero = row.kind == param_kind::uint_or_zero && scan_uint(value, number) && number == 0;
    if (!zero && !check_uint(value, limits.min, limits.max, row.id, number, error)) {
        return false;
    }
    block_.set_word(row.id, number);
    return true;
}

bool parameter_set::parse_real(const param_row& row, std::string_view value, std::string& error) {
    double number = std::numeric_limits<double>::infinity();
    const slot& limits = slot_of(row.id);
    const bool never = value == "never" && may_be_never(row.id);
    if (!never && !check_real(value, limits.min, limits.max, row.kind == param_kind::duration, number, error)) {
        return false;
    }
    block_.set_word(row.id, std::bit_cast<std::uint64_t>(number));
    return true;
}

bool parameter_set::parse_bytes(const param_row& row, std::string_view value, std::string& error) {
    base::parsed_bytes parsed = base::parse_bytes(value);
    if (parsed.error != nullptr) {
        error = fmt::format("Could not convert to bytes.\n{}\n  Try something like '80k' or '120M'\n", parsed.error);
        return false;
    }
    // DIFFERS: a 32-bit parameter refuses what it cannot hold instead of taking it modulo 4G.
    std::uint64_t most = row.kind == param_kind::bytes_u ? unlimited : std::numeric_limits<std::int64_t>::max();
    const slot& limits = slot_of(row.id);
    if (parsed.value > most) {
        error = bytes_text(parsed.value) + " is too large for this architecture.\n";
    } else if (!limits.max.empty() && parsed.value > base::parse_bytes(limits.max).value) {
        error = fmt::format("Must be no more than {}\n\n", limits.max);
    } else if (!limits.min.empty() && parsed.value < base::parse_bytes(limits.min).value) {
        error = fmt::format("Must be at least {}\n", limits.min);
    } else {
        block_.set_word(row.id, parsed.value);
        return true;
    }
    return false;
}

bool parameter_set::parse_bits(const param_row& row, std::string_view value, std::string& error) {
    // DIFFERS: "none" clears all bits; the reference clears whole bytes of them only.
    std::uint64_t word = block_.word(row.id);
    std::span<const bit_row> rows = bits_of(row.id);
    if (value == "default") {
        word = 0;
        value = row.def;
    }
    auto find = [rows](std::string_view name) { return find_bit(rows, name); };
    auto turn = [&word](unsigned bit, bool on) {
        std::uint64_t flag = std::uint64_t{1} << bit;
        word = on ? word | flag : word & ~flag;
    };
    auto turn_all = [&word, rows](bool on) { word = on ? (std::uint64_t{1} << rows.size()) - 1 : 0; };
    if (!change_bits(value, what_bits(row.id), find, turn, turn_all, error)) {
        return false;
    }
    block_.set_word(row.id, word);
    return true;
}

bool parameter_set::parse_mask(const param_row& row, std::string_view value, std::string& error) {
    std::array<std::uint64_t, 4> mask{};
    if (value == "default") {
        value = row.def;
    } else {
        for (std::size_t i = 0; i < mask.size(); ++i) {
            mask[i] = block_.mask_[i].load(std::memory_order_relaxed);
        }
    }
    auto find = [](std::string_view name) {
        std::optional<log_tag> tag = find_log_tag(name);
        return tag ? static_cast<int>(*tag) : -1;
    };
    auto turn = [&mask](unsigned tag, bool logged) {
        std::uint64_t flag = std::uint64_t{1} << (tag % 64);
        mask[tag / 64] = logged ? mask[tag / 64] & ~flag : mask[tag / 64] | flag;
    };
    auto turn_all = [turn](bool logged) {
        for (unsigned tag = 1; tag < log_tag_count; ++tag) {
            turn(tag, logged);
        }
    };
    if (!change_bits(value, "VSL tag", find, turn, turn_all, error)) {
        return false;
    }
    for (std::size_t i = 0; i < mask.size(); ++i) {
        block_.mask_[i].store(mask[i], std::memory_order_relaxed);
    }
    return true;
}

bool parameter_set::parse_text(const param_row& row, std::string_view value, std::string&) {
    slot_of(row.id).text = value;
    return true;
}

bool parameter_set::parse_storage(const param_row& row, std::string_view value, std::string& error) {
    if (value != "Transient" && !(storage_known_ && storage_known_(value))) {
        error = fmt::format("unknown storage backend '{}'", value);
        return false;
    }
    slot_of(row.id).text = value;
    return true;
}

bool parameter_set::parse_pool(const param_row& row, std::string_view value, std::string& error) {
    std::vector<std::string_view> words = comma_words(value);
    if (words.size() < 3) {
        error = "Three fields required: min_pool, max_pool and max_age\n";
        return false;
    }
    std::uint32_t least = 0;
    std::uint32_t most = 0;
    double age = 0;
    if (!check_uint(words[0], "", "", row.id, least, error) || !check_uint(words[1], "", "", row.id, most, error) ||
        !check_real(words[2], "0", "1000000", false, age, error)) {
        return false;
    }
    if (least > most) {
        error = "min_pool cannot be larger than max_pool\n";
        return false;
    }
    slot_of(row.id).text = fmt::format("{},{},{:g}", least, most, age);
    return true;
}

} // namespace clearcoat::tables
