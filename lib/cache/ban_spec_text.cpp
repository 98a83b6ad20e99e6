// A ban's outward forms: the text of ban.list and the bytes that a store keeps.
#include "cache/ban_spec.hpp"

#include <bit>
#include <cmath>

#include <fmt/core.h>

namespace clearcoat::cache {

namespace {

// Serialised, all numbers big-endian:
//   0  8 bytes  time, IEEE 754
//   8  4 bytes  length of the whole
//  12  1 byte   1: tests the request, 2: tests the object, 4: completed (no tests follow)
//  13  3 bytes  zero
//  16  tests: 1 byte field, 1 byte operator, 2 bytes length, header name, 4 bytes length, operand as given
constexpr std::size_t head_size = 16;
constexpr char flag_request = 1;
constexpr char flag_object = 2;
constexpr char flag_completed = 4;

void put_number(std::string& out, std::uint64_t value, std::size_t bytes) {
    while (bytes-- != 0) {
        out.push_back(static_cast<char>(value >> (8 * bytes) & 0xff));
    }
}

std::optional<std::uint64_t> get_number(std::string_view& in, std::size_t bytes) noexcept {
    if (in.size() < bytes) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
        value = value << 8 | static_cast<unsigned char>(in[i]);
    }
    in.remove_prefix(bytes);
    return value;
}

std::optional<std::string_view> get_text(std::string_view& in, std::size_t length_bytes) noexcept {
    const auto length = get_number(in, length_bytes);
    if (!length || *length > in.size()) {
        return std::nullopt;
    }
    const std::string_view text = in.substr(0, *length);
    in.remove_prefix(*length);
    return text;
}

std::optional<ban_test> get_test(std::string_view& in) {
    const auto field = get_number(in, 1);
    const auto op = get_number(in, 1);
    if (!field || *field > static_cast<unsigned>(ban_field::last_hit) || !op ||
        *op > static_cast<unsigned>(ban_operator::less_equal)) {
        return std::nullopt;
    }
    const auto header = get_text(in, 2);
    const auto operand = get_text(in, 4);
    if (!header || !operand) {
        return std::nullopt;
    }
    auto made = ban_spec::parse_test(static_cast<ban_field>(*field), static_cast<ban_operator>(*op), *header, *operand);
    if (!made.tests) {
        return std::nullopt;
    }
    return std::move(made.tests->front());
}

void put_quoted(std::string& out, std::string_view text) {
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out.push_back('\\');
            out.push_back(c);
        } else if (static_cast<unsigned char>(c) < 0x20) {
            fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
        } else {
            out.push_back(c);
        }
    }
}

} // namespace

std::string render_duration(double seconds) {
    struct unit {
        std::uint64_t seconds;
        char name;
    };
    static constexpr unit units[] = {{31'536'000, 'y'}, {604'800, 'w'}, {86'400, 'd'}, {3'600, 'h'}, {60, 'm'}};
    const auto whole = static_cast<std::uint64_t>(std::floor(seconds));
    const auto millis = static_cast<std::uint64_t>(std::floor(seconds * 1e3)) % 1000;
    if (whole == 0) {
        return millis == 0 ? "0s" : fmt::format("{}ms", millis);
    }
    if (millis != 0) {
        return fmt::format("{}.{:03}s", whole, millis);
    }
    for (const unit& u : units) {
        if (whole >= u.seconds && whole % u.seconds == 0) {
            return fmt::format("{}{}", whole / u.seconds, u.name);
        }
    }
    return fmt::format("{}s", whole);
}

std::string ban_spec::text(bool quote) const {
    std::string out;
    for (const ban_test& test : tests_) {
        if (!out.empty()) {
            out += " && ";
        }
        out += name_of(test.field);
        out += test.header;
        out += ' ';
        out += name_of(test.op);
        out += ' ';
        if (test.field >= ban_field::ttl) {
            out += render_duration(test.seconds);
        } else if (quote) {
            put_quoted(out, test.operand);
        } else {
            out += test.operand;
        }
    }
    return out;
}

std::size_t ban_spec::serialised_size(bool completed) const noexcept {
    std::size_t size = head_size;
    if (!completed) {
        for (const ban_test& test : tests_) {
            size += 8 + test.header.size() + test.operand.size();
        }
    }
    return size;
}

std::string ban_spec::serialise(bool completed) const {
    std::string out;
    put_number(out, std::bit_cast<std::uint64_t>(time_), 8);
    put_number(out, serialised_size(completed), 4);
    out.push_back(static_cast<char>((looks_at_request() ? flag_request : 0) | (looks_at_object() ? flag_object : 0) |
                                    (completed ? flag_completed : 0)));
    out.append(3, '\0');
    if (completed) {
        return out;
    }
    for (const ban_test& test : tests_) {
        out.push_back(static_cast<char>(test.field));
        out.push_back(static_cast<char>(test.op));
        put_number(out, test.header.size(), 2);
        out += test.header;
        put_number(out, test.operand.size(), 4);
        out += test.operand;
    }
    return out;
}

std::optional<ban_spec::stored> ban_spec::deserialise(std::string_view bytes) {
    std::string_view in = bytes;
    const auto time = get_number(in, 8);
    const auto length = get_number(in, 4);
    const auto flags = get_number(in, 1);
    if (!time || !length || !flags || *length < head_size || *length > bytes.size()) {
        return std::nullopt;
    }
    in = bytes.substr(head_size, *length - head_size);
    std::vector<ban_test> tests;
    while (!in.empty()) {
        auto test = get_test(in);
        if (!test) {
            return std::nullopt;
        }
        tests.push_back(std::move(*test));
    }
    return stored{ban_spec(std::bit_cast<double>(*time), std::move(tests)), (*flags & flag_completed) != 0, *length};
}

} // namespace clearcoat::cache
