#include "flow/fetch_body.hpp"

#include "body/gunzip_stage.hpp"
#include "body/gzip_stage.hpp"
#include "http/conditional.hpp"
#include "http/tokens.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"

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

bool fetch_body::build(std::string_view list, http::head& beresp, const tables::param_block& params,
                       base::arena& memory, tables::main_counters& counters) {
    std::string_view rest = list;
    while (true) {
        std::string_view before = rest;
        std::string_view name = http::next_element(rest, " \t\r\n");
        if (name.data() == nullptr) {
            break;
        }
        if (!add(name, beresp, params, counters)) {
            if (error_.empty()) {
                error_ = fmt::format("Filter '...{}' not found", before.substr(before.find(name)));
            }
            return false;
        }
    }
    if (!connect_stages(memory)) {
        error_ = "Workspace overflow";
        return false;
    }
    return true;
}

bool fetch_body::add(std::string_view name, http::head& beresp, const tables::param_block& params,
                     tables::main_counters& counters) {
    if (name == "gzip") {
        return add_gzip(beresp, params, counters);
    }
    if (name == "gunzip") {
        return add_gunzip(beresp, filter::gunzip, counters);
    }
    if (name == "testgunzip") {
        return add_gunzip(beresp, filter::testgunzip, counters);
    }
    return false;
}

bool fetch_body::add_gzip(http::head& beresp, const tables::param_block& params, tables::main_counters& counters) {
    if (beresp.status() == 206 || beresp.has(http::field_id::content_encoding)) {
        return true;
    }
    auto stage =
        body::gzip_stage::create(static_cast<int>(params.gzip_level()), static_cast<int>(params.gzip_memlevel()));
    if (stage == nullptr) {
        error_ = "Fetch filter gzip failed to open";
        return false;
    }
    ++counters.n_gzip;
    stages_.push_back({filter::gzip, std::move(stage)});
    makes_gzip_ = true;
    changes_encoding_ = true;
    beresp.unset(http::field_id::content_encoding);
    beresp.unset(http::field_id::content_length);
    http::weaken_etag(beresp);
    beresp.add(http::field_id::content_encoding, "gzip");
    http::vary_on_accept_encoding(beresp);
    return true;
}

bool fetch_body::add_gunzip(http::head& beresp, filter kind, tables::main_counters& counters) {
    if (beresp.status() == 206 || !beresp.is(http::field_id::content_encoding, "gzip")) {
        return true;
    }
    std::unique_ptr<body::stage> stage;
    if (kind == filter::gunzip) {
        stage = body::gunzip_stage::create();
        ++counters.n_gunzip;
    } else {
        stage = body::testgunzip_stage::create();
        ++counters.n_test_gunzip;
    }
    if (stage == nullptr) {
        error_ = fmt::format("Fetch filter {} failed to open", kind == filter::gunzip ? "gunzip" : "testgunzip");
        return false;
    }
    stages_.push_back({kind, std::move(stage)});
    makes_gzip_ = kind == filter::testgunzip;
    if (kind == filter::testgunzip) {
        http::vary_on_accept_encoding(beresp);
        return true;
    }
    changes_encoding_ = true;
    beresp.unset(http::field_id::content_encoding);
    beresp.unset(http::field_id::content_length);
    http::weaken_etag(beresp);
    return true;
}

bool fetch_body::connect_stages(base::arena& memory) noexcept {
    if (stages_.empty()) {
        return true;
    }
    pipeline_.emplace();
    for (entry& e : stages_) {
        if (!pipeline_->append(*e.stage, memory)) {
            return false;
        }
    }
    return true;
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

bool fetch_body::keep_gzip_layout(cache::index& cache, cache::object& target) noexcept {
    if (!makes_gzip_ || stages_.empty()) {
        return true;
    }
    const body::stage& last = *stages_.back().stage;
    const body::gzip_bits& bits = stages_.back().kind == filter::gzip
                                      ? static_cast<const body::gzip_stage&>(last).bits()
                                      : static_cast<const body::testgunzip_stage&>(last).bits();
    cache::gzip_layout layout;
    layout.start_bit = bits.start;
    layout.last_bit = bits.last;
    layout.stop_bit = bits.stop;
    layout.plain_length = bits.plain_size;
    return cache.attach_gzip(target, layout);
}

namespace {

template<class Stage>
void write_totals(base::log_writer& log, std::string_view who, const body::stage& s) noexcept {
    const auto& stage = static_cast<const Stage&>(s);
    char room[140];
    log.write(log_tag::Gzip,
              body::write_gzip_record(who, stage.total_in(), stage.total_out(), stage.bits(), std::span(room)));
}

} // namespace

void fetch_body::close(base::log_writer& log) noexcept {
    for (std::size_t i = stages_.size(); i-- > 0;) {
        const entry& e = stages_[i];
        if (e.kind == filter::gzip) {
            write_totals<body::gzip_stage>(log, "G F -", *e.stage);
        } else if (e.kind == filter::gunzip) {
            write_totals<body::gunzip_stage>(log, "U F -", *e.stage);
        } else {
            write_totals<body::testgunzip_stage>(log, "u F -", *e.stage);
        }
        log.print(log_tag::VfpAcct, "{} {} {}", e.stage->name(), e.calls, e.out);
    }
    pipeline_.reset();
    stages_.clear();
    if (open_) {
        constexpr std::string_view names[] = {"", "V1F_STRAIGHT", "V1F_CHUNKED", "V1F_EOF", ""};
        log.print(log_tag::VfpAcct, "{} {} {}", names[static_cast<std::size_t>(framing_.kind)], reads_, received_);
        open_ = false;
    }
}

} // namespace clearcoat::flow
