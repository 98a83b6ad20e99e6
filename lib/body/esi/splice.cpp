#include "body/esi/splice.hpp"

#include <algorithm>
#include <cstring>

namespace clearcoat::body::esi {

namespace {

constexpr std::size_t block_head = 5;
constexpr std::size_t largest_block = 65535;
constexpr std::size_t trailer_size = 8;
constexpr std::size_t least_room = block_head + 1;

std::uint32_t little_end(const std::byte* at) noexcept {
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; --i) {
        value = value << 8 | static_cast<std::uint32_t>(at[i]);
    }
    return value;
}

} // namespace

stage_step stored_block_stage::push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept {
    std::size_t used = 0;
    std::size_t made = 0;
    while (used < in.size() && out.size() - made >= least_room) {
        std::size_t size = std::min({in.size() - used, out.size() - made - block_head, largest_block});
        std::byte* at = out.data() + made;
        at[0] = std::byte(0);
        at[1] = static_cast<std::byte>(size);
        at[2] = static_cast<std::byte>(size >> 8);
        at[3] = ~at[1];
        at[4] = ~at[2];
        std::memcpy(at + block_head, in.data() + used, size);
        sum_->add_plain(in.subspan(used, size));
        used += size;
        made += block_head + size;
    }
    if (used < in.size()) {
        return {used, made, stage_state::want_room};
    }
    return {used, made, last ? stage_state::done : stage_state::want_input};
}

gzip_splice_stage::gzip_splice_stage(const gzip_bits& bits, std::uint64_t size, gzip_sum& sum) noexcept
    : bits_(bits), size_(size), sum_(&sum) {}

gzip_splice_stage::part gzip_splice_stage::keep(std::span<const std::byte> in, std::span<std::byte> out,
                                                std::uint64_t until) const noexcept {
    auto size = static_cast<std::size_t>(std::min<std::uint64_t>({until - at_, in.size(), out.size()}));
    if (size != 0) {
        std::memcpy(out.data(), in.data(), size);
    }
    return {size, size};
}

/// The stream ends within a byte: an empty stored block takes it to the next boundary.
gzip_splice_stage::part gzip_splice_stage::pad(std::byte last, std::span<std::byte> out) const noexcept {
    if (out.size() < least_room) {
        return {0, 0};
    }
    auto used_bits = static_cast<unsigned>(bits_.stop % 8);
    std::size_t made = 0;
    out[made++] = last & static_cast<std::byte>((1u << used_bits) - 1);
    if (used_bits > 5) {
        out[made++] = std::byte(0);
    }
    for (unsigned char c : {0x00, 0x00, 0xff, 0xff}) {
        out[made++] = std::byte(c);
    }
    return {1, made};
}

gzip_splice_stage::part gzip_splice_stage::take_trailer(std::span<const std::byte> in) noexcept {
    std::uint64_t begin = size_ - trailer_size;
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (at_ + i >= begin && at_ + i < size_) {
            trailer_[static_cast<std::size_t>(at_ + i - begin)] = in[i];
        }
    }
    return {in.size(), 0};
}

gzip_splice_stage::part gzip_splice_stage::run(std::span<const std::byte> in, std::span<std::byte> out) noexcept {
    const std::uint64_t first = bits_.start / 8;
    const std::uint64_t mark = bits_.last / 8;
    const std::uint64_t end = bits_.stop / 8;
    if (at_ < first) {
        return {static_cast<std::size_t>(std::min<std::uint64_t>(first - at_, in.size())), 0};
    }
    if (at_ < mark) {
        return keep(in, out, mark);
    }
    if (at_ == mark && !out.empty()) {
        out[0] = in[0] & ~static_cast<std::byte>(1u << (bits_.last % 8));
        return {1, 1};
    }
    if (at_ == mark) {
        return {0, 0};
    }
    if (at_ < end) {
        return keep(in, out, end);
    }
    if (at_ == end && bits_.stop % 8 != 0) {
        return pad(in[0], out);
    }
    return take_trailer(in);
}

stage_step gzip_splice_stage::push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept {
    stage_step step;
    while (step.used < in.size()) {
        part p = run(in.subspan(step.used), out.subspan(step.made));
        if (p.used == 0) {
            step.state = stage_state::want_room;
            return step;
        }
        at_ += p.used;
        step.used += p.used;
        step.made += p.made;
    }
    if (!last) {
        return step;
    }
    step.state = stage_state::done;
    if (at_ < size_) {
        error_ = "ESI include ended early";
        step.state = stage_state::failed;
    } else {
        sum_->add(little_end(trailer_.data()), little_end(trailer_.data() + 4));
    }
    return step;
}

} // namespace clearcoat::body::esi
