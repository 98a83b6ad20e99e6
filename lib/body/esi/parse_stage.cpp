#include "body/esi/parse_stage.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include <fmt/core.h>
#include <zlib.h>

namespace clearcoat::body::esi {

namespace {

using kind = parser::piece::kind;

std::string_view text_of(std::span<const std::byte> bytes) noexcept {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

void parse_stage::esi_problem(const problem& p) noexcept {
    if (p.how_bad == problem::severity::note) {
        log_->esi_record(p.how_bad, p.text);
        return;
    }
    std::array<char, 160> room;
    auto written = fmt::format_to_n(room.data(), room.size(), "{} after {} {}",
                                    p.how_bad == problem::severity::error ? "ERR" : "WARN", run_begin_, p.text);
    log_->esi_record(p.how_bad, {room.data(), std::min(written.size, room.size())});
}

void parse_stage::esi_include(std::string_view host, std::string_view url, bool continue_on_error) {
    writer_.include(host, url, continue_on_error);
}

void esi_stage::change_run(kind to) {
    if (seen_ != run_begin_) {
        if (run_ == kind::text) {
            writer_.text(seen_ - run_begin_, 0, 0);
        } else {
            writer_.skip(seen_ - run_begin_);
        }
    }
    run_ = to;
    run_begin_ = seen_;
}

stage_step esi_stage::push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept {
    std::size_t size = std::min(in.size(), out.size());
    bool is_whole = size == in.size();
    if (size != 0) {
        std::memcpy(out.data(), in.data(), size);
    }
    parser_.feed(text_of(in.first(size)), last && is_whole);
    for (parser::piece p = parser_.next(); p.what != kind::none; p = parser_.next()) {
        if (p.what != run_) {
            change_run(p.what);
        }
        seen_ += p.bytes.size();
    }
    if (!is_whole) {
        return {size, size, stage_state::want_room};
    }
    if (last) {
        change_run(run_);
    }
    return {size, size, last ? stage_state::done : stage_state::want_input};
}

std::unique_ptr<esi_gzip_stage> esi_gzip_stage::create(std::string_view page_url, const parser_options& options,
                                                       problem_log& log, int level, int memory_level) {
    std::unique_ptr<gzip_stage> gzip = gzip_stage::create(level, memory_level);
    if (gzip == nullptr) {
        return nullptr;
    }
    return std::unique_ptr<esi_gzip_stage>(new (std::nothrow) esi_gzip_stage(page_url, options, log, std::move(gzip)));
}

/// The compressor has been flushed: what it made since run_begin_ is one run of the stored body.
void esi_gzip_stage::end_run() {
    std::uint64_t size = gzip_->total_out() - run_begin_;
    if (size != 0 && run_ == kind::text) {
        writer_.text(size, plain_size_, plain_crc_);
    } else if (size != 0) {
        writer_.skip(size);
    }
    run_begin_ = gzip_->total_out();
    run_ = next_run_;
    plain_size_ = 0;
    plain_crc_ = 0;
}

/// A run that got no bytes needs no end.
void esi_gzip_stage::begin_run(kind next) {
    next_run_ = next;
    if (plain_size_ != 0) {
        phase_ = phase::flushing;
        return;
    }
    run_ = next;
    if (next == kind::none) {
        phase_ = phase::finishing;
    }
}

void esi_gzip_stage::fetch_piece() {
    piece_ = parser_.next();
    if (piece_.what != kind::none ? piece_.what != run_ : last_) {
        begin_run(piece_.what);
    }
    if (piece_.what == kind::none) {
        return;
    }
    auto* bytes = reinterpret_cast<const Bytef*>(piece_.bytes.data());
    next_crc_ = static_cast<std::uint32_t>(::crc32(0, bytes, static_cast<uInt>(piece_.bytes.size())));
    next_size_ = piece_.bytes.size();
    has_new_piece_ = true;
}

/// One move of the compressor. want_input: it needs something else to do.
stage_step esi_gzip_stage::advance(std::span<std::byte> out) {
    if (phase_ == phase::finishing) {
        return gzip_->push({}, true, out);
    }
    if (phase_ == phase::flushing) {
        // A text must not refer to what is skipped before it, so it starts with a new dictionary.
        stage_step step = next_run_ == kind::text ? gzip_->flush_full(out) : gzip_->flush_aligned(out);
        if (step.state == stage_state::want_input) {
            end_run();
            phase_ = run_ == kind::none ? phase::finishing : phase::parsing;
        }
        return step;
    }
    if (has_new_piece_) {
        plain_crc_ =
            static_cast<std::uint32_t>(::crc32_combine(plain_crc_, next_crc_, static_cast<z_off_t>(next_size_)));
        plain_size_ += next_size_;
        has_new_piece_ = false;
    }
    stage_step step = gzip_->push(std::as_bytes(std::span(piece_.bytes)), false, out);
    piece_.bytes.remove_prefix(step.used);
    return step;
}

/// Makes sure that there is something to compress or to flush; false when all input is used up.
bool esi_gzip_stage::prepare(std::span<const std::byte> in, bool last, std::size_t& used) {
    while (phase_ == phase::parsing && piece_.bytes.empty()) {
        if (!fed_) {
            if (used == in.size() && last == last_) {
                return false;
            }
            parser_.feed(text_of(in.subspan(used)), last);
            last_ = last;
            fed_ = true;
            fed_size_ = in.size() - used;
        }
        fetch_piece();
        if (piece_.what == kind::none && phase_ == phase::parsing) {
            fed_ = false;
            used += fed_size_;
        }
    }
    return true;
}

stage_step esi_gzip_stage::push(std::span<const std::byte> in, bool last, std::span<std::byte> out) noexcept {
    stage_step result;
    while (prepare(in, last, result.used)) {
        stage_step step = advance(out.subspan(result.made));
        result.made += step.made;
        result.state = step.state;
        if (step.state == stage_state::done) {
            result.used = in.size();
        } else if (step.state == stage_state::failed) {
            error_ = "ESI+Gzip Failed at the very end";
        }
        if (step.state != stage_state::want_input) {
            return result;
        }
    }
    return result;
}

} // namespace clearcoat::body::esi
