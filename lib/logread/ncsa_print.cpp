// The printing half of ncsa_printer.
#include "base/ascii.hpp"
#include "logread/ncsa_line.hpp"

#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include <fmt/core.h>
#include <time.h>

namespace clearcoat::logread {
namespace {

std::optional<double> to_seconds(std::string_view text) noexcept {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
        return std::nullopt;
    }
    return value;
}

/// The number without its fraction. A damaged log may hold one that no integer has room for: the nearest then.
long long whole_number(double number) noexcept {
    constexpr double limit = 9223372036854775808.0; // 2^63
    if (std::isnan(number)) {
        return 0;
    }
    if (number >= limit) {
        return std::numeric_limits<long long>::max();
    }
    return number <= -limit ? std::numeric_limits<long long>::min() : static_cast<long long>(number);
}

/// Base 64 (RFC 4648), where '=' stands for zero bits; empty when there is anything else in it.
std::optional<std::string> decode_base64(std::string_view text) {
    constexpr std::size_t longest = 127;
    std::string decoded;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                          : c >= 'a' && c <= 'z' ? c - 'a' + 26
                          : base::is_digit(c)    ? c - '0' + 52
                          : c == '+'             ? 62
                          : c == '/'             ? 63
                          : c == '='             ? 0
                                                 : -1;
        if (value < 0) {
            return std::nullopt;
        }
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        if (i % 4 == 3 || i + 1 == text.size()) {
            for (const int shift : {16, 8, 0}) {
                decoded += static_cast<char>(bits >> shift & 0xff);
            }
            bits = 0;
        }
    }
    if (decoded.size() > longest) {
        return std::nullopt;
    }
    return decoded;
}

} // namespace

bool ncsa_printer::print_piece(std::size_t index, std::string& out) {
    const ncsa_piece& piece = format_.pieces[index];
    switch (piece.kind) {
    case ncsa_piece_kind::literal:
        out += piece.text;
        break;
    case ncsa_piece_kind::part:
        quote(parts_[piece.part].data() == nullptr ? std::string_view(piece.text) : parts_[piece.part], out);
        break;
    case ncsa_piece_kind::date:
    case ncsa_piece_kind::number:
        return print_time(index, out);
    case ncsa_piece_kind::request_line:
        print_request_line(out);
        break;
    case ncsa_piece_kind::user:
        print_user(out);
        break;
    case ncsa_piece_kind::hit_or_miss:
        out += hit_or_miss_;
        break;
    case ncsa_piece_kind::handling:
        out += handling_;
        break;
    case ncsa_piece_kind::side:
        out += side_;
        break;
    case ncsa_piece_kind::vxid:
        fmt::format_to(std::back_inserter(out), "{}", vxid_);
        break;
    }
    return true;
}

/// False without a time to print.
bool ncsa_printer::print_time(std::size_t index, std::string& out) {
    const ncsa_piece& piece = format_.pieces[index];
    const std::optional<double> start = to_seconds(part(ncsa_part::start));
    if (!start) {
        return false;
    }
    if (piece.kind == ncsa_piece_kind::date) {
        print_date(index, *start, out);
        return true;
    }
    const double value = piece.elapsed ? to_seconds(part(ncsa_part::end)).value_or(*start) - *start : *start;
    double whole = 0;
    const auto print = [&out](double number, int width) {
        fmt::format_to(std::back_inserter(out), "{:0{}}", whole_number(number), width);
    };
    switch (piece.unit) {
    case ncsa_time::seconds:
        print(value, 1);
        break;
    case ncsa_time::milliseconds:
        print(value * 1e3, 1);
        break;
    case ncsa_time::microseconds:
        print(value * 1e6, 1);
        break;
    case ncsa_time::millisecond_part:
        print(std::modf(value, &whole) * 1e3, 3);
        break;
    case ncsa_time::microsecond_part:
        print(std::modf(value, &whole) * 1e6, 6);
        break;
    }
    return true;
}

void ncsa_printer::print_date(std::size_t index, double when, std::string& out) {
    cached_date& cached = dates_[index];
    const long long second = whole_number(std::floor(when));
    if (cached.second != second || cached.text.empty()) {
        const time_t t = second;
        tm local{};
        if (localtime_r(&t, &local) == nullptr) {
            local = {}; // no calendar goes so far
        }
        char room[256];
        cached.text.assign(room, strftime(room, sizeof room, format_.pieces[index].text.c_str(), &local));
        cached.second = second;
    }
    out += cached.text;
}

void ncsa_printer::print_or(ncsa_part which, std::string_view missing, std::string& out) const {
    quote(part(which).data() == nullptr ? missing : part(which), out);
}

void ncsa_printer::print_request_line(std::string& out) const {
    const std::string_view host = part(ncsa_part::host_header);
    print_or(ncsa_part::method, "-", out);
    out += host.starts_with("http://") ? " " : " http://";
    print_or(ncsa_part::host_header, "localhost", out);
    print_or(ncsa_part::path, "", out);
    print_or(ncsa_part::parameters, "", out);
    out += ' ';
    print_or(ncsa_part::protocol, "HTTP/1.0", out);
}

void ncsa_printer::print_user(std::string& out) const {
    const std::string_view given = part(ncsa_part::authorization);
    const std::optional<std::string> decoded = given.data() == nullptr ? std::nullopt : decode_base64(given);
    if (!decoded) {
        return quote("-", out);
    }
    quote(std::string_view(*decoded).substr(0, decoded->find_first_of(std::string_view(":\0", 2))), out);
}

} // namespace clearcoat::logread
