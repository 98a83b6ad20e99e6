#include "body/gunzip_stage.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include <fmt/core.h>
#include <zlib.h>

namespace clearcoat::body {

namespace {

constexpr int gzip_window_bits = 16 + 15;
constexpr std::size_t largest_step = std::size_t(1) << 30;
// What inflate() leaves in data_type.
constexpr int unused_bits = 7;
constexpr int in_last_block = 64;
constexpr int at_boundary = 128;

} // namespace

struct inflater::state {
    z_stream z{};
};

inflater::inflater(std::unique_ptr<state> s) noexcept : state_(std::move(s)) {}

inflater::~inflater() {
    inflateEnd(&state_->z);
}

std::unique_ptr<inflater> inflater::create() noexcept {
    std::unique_ptr<state> s(new (std::nothrow) state);
    if (s == nullptr || inflateInit2(&s->z, gzip_window_bits) != Z_OK) {
        return nullptr;
    }
    state* raw = s.release();
    auto* made = new (std::nothrow) inflater(std::unique_ptr<state>(raw));
    if (made == nullptr) {
        inflateEnd(&raw->z);
        delete raw;
    }
    return std::unique_ptr<inflater>(made);
}

/// Z_BLOCK makes inflate() stop behind the frame's header and behind each block. A boundary is where the next block
/// begins; that it is the last is only known behind it.
void inflater::note_boundary() noexcept {
    const z_stream& z = state_->z;
    std::uint64_t position = std::uint64_t(8) * z.total_in - static_cast<unsigned>(z.data_type & unused_bits);
    if (bits_.start == 0) {
        bits_.start = position;
        bits_.last = position;
    } else if ((z.data_type & in_last_block) != 0) {
        bits_.stop = position;
    } else {
        bits_.last = position;
    }
}

inflater::step inflater::run(std::span<const std::byte> in, std::span<std::byte> out) noexcept {
    if (out.empty()) {
        return {0, 0, step::result::more}; // zlib takes no output at all for a mistake
    }
    z_stream& z = state_->z;
    in = in.first(std::min(in.size(), largest_step));
    out = out.first(std::min(out.size(), largest_step));
    z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
    z.avail_in = static_cast<uInt>(in.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    int result = Z_OK;
    bool boundary = true;
    while (result == Z_OK && boundary) {
        result = inflate(&z, Z_BLOCK);
        boundary = (z.data_type & at_boundary) != 0;
        if (boundary && (result == Z_OK || result == Z_STREAM_END) && bits_.stop == 0) {
            note_boundary();
        }
    }
    step s{in.size() - z.avail_in, out.size() - z.avail_out, step::result::more};
    if (result == Z_STREAM_END) {
        ended_ = true;
        bits_.plain_size = z.total_out;
        s.what = step::result::ended;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
        s.what = step::result::failed;
    }
    return s;
}

void inflater::reset() noexcept {
    inflateReset(&state_->z);
    bits_ = {};
    ended_ = false;
}

std::uint64_t inflater::total_in() const noexcept {
    return state_->z.total_in;
}

std::uint64_t inflater::total_out() const noexcept {
    return state_->z.total_out;
}

const char* inflater::message() const noexcept {
    return state_->z.msg != nullptr ? state_->z.msg : "(null)";
}

namespace {

/// "Invalid Gzip data: <zlib's words>", kept in `room`.
std::string_view describe(const inflater& i, std::span<char> room) noexcept {
    auto written = fmt::format_to_n(room.data(), room.size(), "Invalid Gzip data: {}", i.message());
    return {room.data(), std::min(written.size, room.size())};
}

} // namespace

std::unique_ptr<gunzip_stage> gunzip_stage::create() noexcept {
    std::unique_ptr<inflater> i = inflater::create();
    if (i == nullptr) {
        return nullptr;
    }
    return std::unique_ptr<gunzip_stage>(new (std::nothrow) gunzip_stage(std::move(i)));
}

stage_step gunzip_stage::push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept {
    inflater::step run{0, 0, inflater::step::result::more};
    if (inflater_->ended()) {
        run.what = inflater::step::result::ended;
    } else {
        run = inflater_->run(in, out);
    }
    stage_step step{run.used, run.made, stage_state::want_input};
    if (run.what == inflater::step::result::failed) {
        error_ = describe(*inflater_, error_text_);
    } else if (run.what == inflater::step::result::ended) {
        error_ = run.used < in.size() ? "Junk after gzip data" : std::string_view();
        step.state = last ? stage_state::done : stage_state::want_input;
    } else if (run.made == out.size()) {
        step.state = stage_state::want_room;
    } else if (last) {
        error_ = "Gunzip error at the very end";
    }
    if (!error_.empty()) {
        step.state = stage_state::failed;
    }
    return step;
}

void gunzip_stage::reset() noexcept {
    inflater_->reset();
    error_ = {};
}

std::unique_ptr<testgunzip_stage> testgunzip_stage::create() noexcept {
    std::unique_ptr<inflater> i = inflater::create();
    if (i == nullptr) {
        return nullptr;
    }
    return std::unique_ptr<testgunzip_stage>(new (std::nothrow) testgunzip_stage(std::move(i)));
}

bool testgunzip_stage::check(std::span<const std::byte> in, bool last) noexcept {
    using result = inflater::step::result;
    std::array<std::byte, 8 * 1024> scratch;
    result what = inflater_->ended() ? result::ended : result::more;
    std::size_t made = scratch.size();
    while (what == result::more && (!in.empty() || made == scratch.size())) {
        inflater::step step = inflater_->run(in, scratch);
        in = in.subspan(step.used);
        made = step.made;
        what = step.what;
    }
    if (what == result::failed) {
        error_ = describe(*inflater_, error_text_);
    } else if (what == result::ended && !in.empty()) {
        error_ = "Junk after gzip data";
    } else if (last && what != result::ended) {
        error_ = "tGunzip failed";
    }
    return error_.empty();
}

stage_step testgunzip_stage::push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept {
    std::size_t size = std::min(in.size(), out.size());
    bool is_whole = size == in.size();
    if (size != 0) {
        std::memcpy(out.data(), in.data(), size);
    }
    if (!check(in.first(size), last && is_whole)) {
        return {size, size, stage_state::failed};
    }
    if (!is_whole) {
        return {size, size, stage_state::want_room};
    }
    return {size, size, last ? stage_state::done : stage_state::want_input};
}

void testgunzip_stage::reset() noexcept {
    inflater_->reset();
    error_ = {};
}

} // namespace clearcoat::body
