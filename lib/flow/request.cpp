#include "flow/request.hpp"

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

} // namespace clearcoat::flow
