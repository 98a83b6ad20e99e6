#include "flow/request.hpp"

#include "base/text_pieces.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"

namespace clearcoat::flow {

request::request(services& services_, base::task_log& log_, const session_facts& session_, session_settings& settings_,
                 request* top_)
    : svc(services_), log(log_), session(session_), settings(settings_), top(top_ == nullptr ? this : top_),
      workspace(services_.chunks, services_.params.workspace_client()),
      head_records(vcl::message::req, log_, workspace, services_.counters),
      response_records(vcl::message::resp, log_, workspace, services_.counters) {
    const unsigned slots = services_.params.http_max_hdr();
    original.reset(workspace, slots);
    head.reset(workspace, slots, &head_records);
    response.reset(workspace, slots, &response_records);
}

void write_account(request& r) noexcept {
    const request_account& a = r.account;
    r.log.join(log_tag::ReqAcct, a.request_head, ' ', a.request_body, ' ', a.request_head + a.request_body, ' ',
               a.response_head, ' ', a.response_body, ' ', a.response_head + a.response_body);
}

} // namespace clearcoat::flow
