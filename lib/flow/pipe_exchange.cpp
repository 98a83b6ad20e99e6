#include "flow/pipe_exchange.hpp"

#include "base/text_pieces.hpp"
#include "http/filter.hpp"
#include "http/h1/format.hpp"
#include "tables/counters.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"
#include "vcl/vm/director.hpp"

namespace clearcoat::flow {

pipe_exchange::pipe_exchange(services& svc, task_host& client, const http::head& req, vcl::director* backend,
                             bool expects_continue, std::uint64_t header_bytes) noexcept
    : svc_(svc), client_(client), log_(svc.logs.take(svc.vxids.next_vxid(), base::log_side::backend)),
      recorder_(vcl::message::bereq, log_, client.workspace(), svc.counters), header_bytes_(header_bytes) {
    ++svc_.counters.s_pipe;
    log_.print(log_tag::Begin, "bereq {} pipe", client_.records().vxid());
    client_.log().print(log_tag::Link, "bereq {} pipe", log_.vxid());
    mark("Start");
    bereq_.reset(client_.workspace(), svc_.params.http_max_hdr(), &recorder_);
    bereq_.copy_filtered(req, http::filter_use::none);
    bereq_.report();
    bereq_.add(http::field_id::x_varnish, base::digits(client_.records().vxid()).text());
    bereq_.force(http::field_id::connection, "close");
    if (expects_continue) {
        bereq_.add(http::field_id::expect, "100-continue");
    }
    choice_.backend = backend;
}

pipe_exchange::~pipe_exchange() {
    if (entered_) {
        tables::drop(svc_.shared_counters.n_pipe);
    }
    log_.print(log_tag::BereqAcct, "{} 0 {} 0 0 0", preamble_bytes_, preamble_bytes_);
    log_.write(log_tag::End, {});
    svc_.logs.give(log_);
}

void pipe_exchange::mark(std::string_view event) noexcept {
    times_.mark(log_, event, svc_.clock.real());
}

bool pipe_exchange::enter() noexcept {
    client_.mark("Process");
    times_.mark(log_, "Process", client_.times().previous());
    const std::uint64_t most = svc_.params.pipe_sess_max();
    tables::bump(svc_.shared_counters.n_pipe);
    entered_ = true;
    if (most == 0 || tables::load(svc_.shared_counters.n_pipe) <= most) {
        return true;
    }
    tables::drop(svc_.shared_counters.n_pipe);
    entered_ = false;
    ++svc_.counters.pipe_limited;
    return false;
}

vcl::director* pipe_exchange::resolve() noexcept {
    vcl::director* chosen = choice_.backend;
    if (chosen == nullptr) {
        log_.write(log_tag::FetchError, "No backend");
    }
    while (chosen != nullptr && !chosen->concrete()) {
        chosen = chosen->resolve(client_);
    }
    if (chosen == nullptr && choice_.backend != nullptr) {
        log_.print(log_tag::FetchError, "Director {} returned no backend", choice_.backend->name());
    }
    if (chosen == nullptr) {
        log_.write(log_tag::VCL_Error, "Backend does not support pipe");
    }
    return chosen;
}

std::string_view pipe_exchange::format_request() noexcept {
    std::span<char> room = client_.workspace().make_array<char>(http::h1::request_size(bereq_));
    return {room.data(), room.empty() ? 0 : http::h1::format_request(bereq_, room)};
}

void pipe_exchange::charge(const traffic& bytes) noexcept {
    client_.log().print(log_tag::PipeAcct, "{} {} {} {}", header_bytes_, bytes.bereq_header, bytes.in, bytes.out);
    svc_.counters.s_pipe_hdrbytes += header_bytes_;
    svc_.counters.s_pipe_in += bytes.in;
    svc_.counters.s_pipe_out += bytes.out;
}

} // namespace clearcoat::flow
