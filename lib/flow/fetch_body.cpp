#include "flow/fetch_body.hpp"

#include "body/gunzip_stage.hpp"

#include <algorithm>

namespace clearcoat::flow {

using http::h1::body_kind;

void fetch_body::reset(const http::h1::framing& framing) noexcept {
    framing_ = framing;
    chunks_.reset();
    left_ = framing.kind == body_kind::length ? framing.length : 0;
    received_ = 0;
    reads_ = 0;
    pipeline_.reset();
    stages_.clear();
    writer_ = nullptr;
    state_ = framing.kind == body_kind::none ? state::done : state::more;
    error_.clear();
    makes_gzip_ = false;
    changes_encoding_ = false;
    open_ = framing.kind != body_kind::none;
}

void fetch_body::reset_decoded() noexcept {
    http::h1::framing until_told;
    until_told.kind = body_kind::eof;
    reset(until_told);
    open_ = false;
}

std::span<char> fetch_body::direct_room() noexcept {
    bool straight = stages_.empty() || only_tested();
    if (!straight || state_ != state::more) {
        return {};
    }
    std::uint64_t most = UINT64_MAX;
    if (framing_.kind == body_kind::length) {
        most = left_;
    } else if (framing_.kind == body_kind::chunked) {
        most = chunks_.expected_data();
        if (most == 0) {
            return {};
        }
    }
    std::span<char> room = writer_->reserve(framing_.kind == body_kind::length ? left_ : 0);
    if (room.empty()) {
        fail("Could not get storage");
        return {};
    }
    return room.first(static_cast<std::size_t>(std::min<std::uint64_t>(room.size(), most)));
}

fetch_body::state fetch_body::took_direct(std::size_t count) noexcept {
    ++reads_;
    received_ += count;
    std::span<char> room = writer_->reserve(0);
    bool last = framing_.kind == body_kind::length && count == left_;
    if (only_tested()) {
        auto& test = static_cast<body::testgunzip_stage&>(*stages_[0].stage);
        ++stages_[0].calls;
        stages_[0].out += count;
        if (!test.check(std::as_bytes(std::span<const char>(room.first(count))), last)) {
            return fail(test.error());
        }
    }
    writer_->commit(count);
    if (framing_.kind == body_kind::length) {
        left_ -= count;
        if (last) {
            state_ = state::done;
        }
    } else if (framing_.kind == body_kind::chunked) {
        chunks_.skip_data(count);
    }
    return state_;
}

fetch_body::state fetch_body::take(std::string_view& bytes) noexcept {
    ++reads_;
    if (framing_.kind == body_kind::chunked) {
        return take_chunked(bytes);
    }
    std::string_view mine = bytes;
    if (framing_.kind == body_kind::length) {
        mine = bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), left_)));
        left_ -= mine.size();
    }
    bytes.remove_prefix(mine.size());
    received_ += mine.size();
    return deliver(mine, framing_.kind == body_kind::length && left_ == 0);
}

fetch_body::state fetch_body::take_chunked(std::string_view& bytes) noexcept {
    while (!bytes.empty() && state_ == state::more) {
        http::h1::chunk_decoder::step s = chunks_.feed(bytes);
        bytes.remove_prefix(s.used);
        received_ += s.data.size();
        if (!s.data.empty() && deliver(s.data, false) == state::failed) {
            return state_;
        }
        if (s.state == http::h1::chunk_state::failed) {
            return fail(chunks_.error());
        }
        if (s.state == http::h1::chunk_state::done) {
            return complete();
        }
    }
    return state_;
}

fetch_body::state fetch_body::ended() noexcept {
    switch (framing_.kind) {
    case body_kind::eof:
        return complete();
    case body_kind::chunked:
        return fail(chunks_.error_at_end());
    default:
        return fail("straight insufficient bytes");
    }
}

fetch_body::state fetch_body::broken() noexcept {
    return framing_.kind == body_kind::eof ? fail("eof socket fail") : ended();
}

fetch_body::state fetch_body::complete() noexcept {
    return deliver({}, true);
}

fetch_body::state fetch_body::deliver(std::string_view data, bool last) noexcept {
    state s = stages_.empty() ? store(data) : push(data, last);
    if (s == state::more && last) {
        state_ = state::done;
    }
    return state_;
}

fetch_body::state fetch_body::store(std::string_view data) noexcept {
    return data.empty() || writer_->append(data) ? state_ : fail("Could not get storage");
}

fetch_body::state fetch_body::push(std::string_view data, bool last) noexcept {
    std::span<const std::byte> in = std::as_bytes(std::span(data.data(), data.size()));
    entry& outermost = stages_.back();
    ++outermost.calls;
    while (true) {
        std::span<char> room = writer_->reserve(0);
        if (room.empty()) {
            return fail("Could not get storage");
        }
        body::stage_step step = pipeline_->push(in, last, std::as_writable_bytes(room));
        in = in.subspan(step.used);
        if (step.made != 0) {
            writer_->commit(step.made);
            outermost.out += step.made;
        }
        if (step.state == body::stage_state::failed) {
            return fail(pipeline_->error());
        }
        if (step.state == body::stage_state::done || (step.state == body::stage_state::want_input && !last)) {
            return state_;
        }
    }
}

fetch_body::state fetch_body::fail(std::string_view why) noexcept {
    error_ = why;
    state_ = state::failed;
    return state_;
}

} // namespace clearcoat::flow
