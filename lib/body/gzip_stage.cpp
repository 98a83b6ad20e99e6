#include "body/gzip_stage.hpp"

#include "base/panic.hpp"
#include "body/gunzip_stage.hpp"

#include <array>
#include <new>

#include <zlib.h>

namespace clearcoat::body {

namespace {

constexpr int gzip_window_bits = 16 + 15;                  // 16 asks zlib for a gzip frame
constexpr std::size_t largest_step = std::size_t(1) << 30; // zlib counts in unsigned int

} // namespace

struct gzip_stage::state {
    z_stream z{};
    /// zlib does not tell where its last block begins; reading our own output does.
    std::unique_ptr<inflater> observer;
    std::array<std::byte, 16 * 1024> scratch;
};

gzip_stage::gzip_stage(std::unique_ptr<state> s) noexcept : state_(std::move(s)) {}

gzip_stage::~gzip_stage() {
    deflateEnd(&state_->z);
}

std::unique_ptr<gzip_stage> gzip_stage::create(int level, int memory_level) noexcept {
    std::unique_ptr<state> s(new (std::nothrow) state);
    if (s == nullptr) {
        return nullptr;
    }
    s->observer = inflater::create();
    if (s->observer == nullptr ||
        deflateInit2(&s->z, level, Z_DEFLATED, gzip_window_bits, memory_level, Z_DEFAULT_STRATEGY) != Z_OK) {
        return nullptr;
    }
    state* raw = s.release();
    auto* made = new (std::nothrow) gzip_stage(std::unique_ptr<state>(raw));
    if (made == nullptr) {
        deflateEnd(&raw->z);
        delete raw;
    }
    return std::unique_ptr<gzip_stage>(made);
}

void gzip_stage::observe(std::span<const std::byte> written) noexcept {
    while (!written.empty() && !state_->observer->ended()) {
        inflater::step step = state_->observer->run(written, state_->scratch);
        written = written.subspan(step.used);
        CLEARCOAT_ASSERT(step.what != inflater::step::result::failed);
    }
}

stage_step gzip_stage::run(std::span<const std::byte> in, int flush, std::span<std::byte> out) noexcept {
    if (out.empty()) {
        return {0, 0, stage_state::want_room};
    }
    z_stream& z = state_->z;
    if (in.size() > largest_step) {
        in = in.first(largest_step);
        flush = Z_NO_FLUSH;
    }
    out = out.first(out.size() < largest_step ? out.size() : largest_step);
    z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(in.data()));
    z.avail_in = static_cast<uInt>(in.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    int result = deflate(&z, flush);
    stage_step step{in.size() - z.avail_in, out.size() - z.avail_out, stage_state::want_input};
    observe(out.first(step.made));
    if (result == Z_STREAM_END) {
        while (!state_->observer->ended()) {
            state_->observer->run({}, state_->scratch);
        }
        bits_ = state_->observer->bits();
        step.state = stage_state::done;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
        error_ = "Gzip failed";
        step.state = stage_state::failed;
    } else if (z.avail_out == 0) {
        step.state = stage_state::want_room;
    }
    return step;
}

stage_step gzip_stage::push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept {
    if (in.empty() && !last && !backlog_) {
        return {};
    }
    stage_step step = run(in, last ? Z_FINISH : Z_NO_FLUSH, out);
    backlog_ = step.state == stage_state::want_room;
    return step;
}

stage_step gzip_stage::flush_full(std::span<std::byte> out) noexcept {
    return run({}, Z_FULL_FLUSH, out);
}

stage_step gzip_stage::flush_aligned(std::span<std::byte> out) noexcept {
    return run({}, Z_SYNC_FLUSH, out);
}

void gzip_stage::reset() noexcept {
    deflateReset(&state_->z);
    state_->observer->reset();
    error_ = {};
    bits_ = {};
    backlog_ = false;
}

std::uint64_t gzip_stage::total_in() const noexcept {
    return state_->z.total_in;
}

std::uint64_t gzip_stage::total_out() const noexcept {
    return state_->z.total_out;
}

} // namespace clearcoat::body
