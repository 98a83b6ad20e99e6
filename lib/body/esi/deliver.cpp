#include "body/esi/deliver.hpp"

#include <algorithm>

#include <zlib.h>

namespace clearcoat::body::esi {

namespace {

constexpr std::size_t header_size = 10;
// Method deflate, no name, no time, slowest compression, Unix: the head zlib writes.
constexpr unsigned char header[header_size] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3};
constexpr unsigned char last_block[5] = {1, 0, 0, 0xff, 0xff}; // stored, empty

void put_little_end(std::byte* at, std::uint32_t value) noexcept {
    for (int i = 0; i < 4; ++i) {
        at[i] = static_cast<std::byte>(value >> (8 * i));
    }
}

} // namespace

void gzip_sum::add(std::uint32_t crc, std::uint64_t size) noexcept {
    crc_ = static_cast<std::uint32_t>(::crc32_combine(crc_, crc, static_cast<z_off_t>(size)));
    size_ += size;
}

void gzip_sum::add_plain(std::span<const std::byte> bytes) noexcept {
    crc_ = static_cast<std::uint32_t>(::crc32_z(crc_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
    size_ += bytes.size();
}

delivery::step delivery::begin() noexcept {
    begun_ = true;
    step s;
    s.what = step::action::send;
    std::transform(std::begin(header), std::end(header), frame_.begin(), [](unsigned char c) { return std::byte(c); });
    s.bytes = std::span(frame_).first(header_size);
    return s;
}

delivery::step delivery::finish() noexcept {
    bool is_first_time = !finished_;
    finished_ = true;
    step s;
    if (!is_first_time || !gzipped()) {
        return s;
    }
    if (parent_ != nullptr) {
        parent_->add(sum_);
        return s;
    }
    std::transform(std::begin(last_block), std::end(last_block), frame_.begin(),
                   [](unsigned char c) { return std::byte(c); });
    put_little_end(frame_.data() + 5, sum_.crc());
    put_little_end(frame_.data() + 9, static_cast<std::uint32_t>(sum_.size()));
    s.what = step::action::send;
    s.bytes = frame_;
    return s;
}

delivery::step delivery::next() noexcept {
    if (!begun_ && gzipped() && parent_ == nullptr) {
        return begin();
    }
    begun_ = true;
    instruction i = reader_.next();
    step s;
    switch (i.what) {
    case instruction::kind::end:
        return finish();
    case instruction::kind::text:
        s.what = step::action::text;
        s.size = i.size;
        if (gzipped()) {
            sum_.add(i.plain_crc, i.plain_size);
        }
        return s;
    case instruction::kind::skip:
        s.what = step::action::skip;
        s.size = i.size;
        return s;
    default:
        s.what = step::action::include;
        s.include = i;
        return s;
    }
}

} // namespace clearcoat::body::esi
