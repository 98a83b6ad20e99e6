#include "http/h1/chunked.hpp"

#include "base/ascii.hpp"
#include "base/panic.hpp"

#include <algorithm>

namespace clearcoat::http::h1 {

namespace {

constexpr std::uint8_t most_digits = 19; // as many as the reference has room for

int hex_value(unsigned char c) noexcept {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

} // namespace

bool chunk_decoder::fail(std::string_view why) noexcept {
    error_ = why;
    where_ = place::failed;
    return false;
}

bool chunk_decoder::take_digit(unsigned char c) noexcept {
    bool another_leading_zero = digits_ == 1 && left_ == 0 && c == '0';
    if (another_leading_zero) {
        return true;
    }
    if (digits_ == most_digits) {
        return fail("chunked header too long");
    }
    ++digits_;
    left_ = (left_ >> 60) != 0 ? UINT64_MAX : (left_ << 4) | static_cast<unsigned>(hex_value(c));
    return true;
}

bool chunk_decoder::size_complete() noexcept {
    if (left_ > static_cast<std::uint64_t>(INT64_MAX)) {
        return fail("bogusly large chunk size");
    }
    where_ = left_ == 0 ? place::end : place::data;
    return true;
}

bool chunk_decoder::take_framing(unsigned char c) noexcept {
    switch (where_) {
    case place::before_size:
        if (base::is_blank(static_cast<char>(c))) {
            return true;
        }
        if (hex_value(c) < 0) {
            return fail("chunked header non-hex");
        }
        left_ = 0;
        digits_ = 0;
        where_ = place::size;
        return take_digit(c);
    case place::size:
        if (hex_value(c) >= 0) {
            return take_digit(c);
        }
        where_ = place::after_size;
        [[fallthrough]];
    case place::after_size:
        if (base::is_blank(static_cast<char>(c))) {
            return true;
        }
        if (c == '\r') {
            where_ = place::size_lf;
            return true;
        }
        [[fallthrough]];
    case place::size_lf:
        return c == '\n' ? size_complete() : fail("chunked header no NL");
    default:
        return take_line_end(c);
    }
}

/// Behind a chunk's data, or behind the last chunk.
bool chunk_decoder::take_line_end(unsigned char c) noexcept {
    bool is_last = where_ == place::end || where_ == place::end_lf;
    if (c == '\r' && (where_ == place::end || where_ == place::data_end)) {
        where_ = is_last ? place::end_lf : place::data_lf;
        return true;
    }
    if (c != '\n') {
        return fail("chunked tail no NL");
    }
    where_ = is_last ? place::done : place::before_size;
    return true;
}

void chunk_decoder::skip_data(std::uint64_t count) noexcept {
    CLEARCOAT_ASSERT(count <= expected_data());
    left_ -= count;
    if (where_ == place::data && left_ == 0) {
        where_ = place::data_end;
    }
}

chunk_decoder::step chunk_decoder::feed(std::string_view in) noexcept {
    step result;
    while (result.used < in.size() && where_ != place::done && where_ != place::failed) {
        if (where_ == place::data) {
            std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, in.size() - result.used));
            result.data = in.substr(result.used, size);
            result.used += size;
            skip_data(size);
            break;
        }
        take_framing(static_cast<unsigned char>(in[result.used]));
        ++result.used;
    }
    if (where_ == place::done) {
        result.state = chunk_state::done;
    } else if (where_ == place::failed) {
        result.state = chunk_state::failed;
    }
    return result;
}

std::string_view chunk_decoder::error_at_end() const noexcept {
    return where_ == place::data ? "chunked insufficient bytes" : "chunked read err";
}

std::string_view chunk_head(std::uint64_t size, std::span<char, chunk_head_size> room) noexcept {
    constexpr std::string_view digits = "0123456789abcdef";
    std::size_t count = 1;
    while (count < 16 && (size >> (4 * count)) != 0) {
        ++count;
    }
    for (std::size_t i = 0; i < count; ++i) {
        room[i] = digits[(size >> (4 * (count - 1 - i))) & 15];
    }
    room[count] = '\r';
    room[count + 1] = '\n';
    return {room.data(), count + 2};
}

} // namespace clearcoat::http::h1
