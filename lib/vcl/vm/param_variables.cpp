#include "vcl/vm/param_variables.hpp"

#include "tables/param_block.hpp"

#include <algorithm>

namespace clearcoat::vcl {

namespace {

using tables::param_block;
using tables::vcl_variable;

struct row {
    vcl_variable variable;
    value (*read)(const param_block&);
};

constexpr row rows[] = {
    {vcl_variable::param_backend_idle_timeout,
     [](const param_block& p) { return value::of_real(p.backend_idle_timeout()); }},
    {vcl_variable::param_backend_wait_limit,
     [](const param_block& p) { return value::of_integer(static_cast<std::int64_t>(p.backend_wait_limit())); }},
    {vcl_variable::param_backend_wait_timeout,
     [](const param_block& p) { return value::of_real(p.backend_wait_timeout()); }},
    {vcl_variable::param_between_bytes_timeout,
     [](const param_block& p) { return value::of_real(p.between_bytes_timeout()); }},
    {vcl_variable::param_connect_timeout, [](const param_block& p) { return value::of_real(p.connect_timeout()); }},
    {vcl_variable::param_default_grace, [](const param_block& p) { return value::of_real(p.default_grace()); }},
    {vcl_variable::param_default_keep, [](const param_block& p) { return value::of_real(p.default_keep()); }},
    {vcl_variable::param_default_ttl, [](const param_block& p) { return value::of_real(p.default_ttl()); }},
    {vcl_variable::param_first_byte_timeout,
     [](const param_block& p) { return value::of_real(p.first_byte_timeout()); }},
    {vcl_variable::param_idle_send_timeout, [](const param_block& p) { return value::of_real(p.idle_send_timeout()); }},
    {vcl_variable::param_max_esi_depth,
     [](const param_block& p) { return value::of_integer(static_cast<std::int64_t>(p.max_esi_depth())); }},
    {vcl_variable::param_max_restarts,
     [](const param_block& p) { return value::of_integer(static_cast<std::int64_t>(p.max_restarts())); }},
    {vcl_variable::param_max_retries,
     [](const param_block& p) { return value::of_integer(static_cast<std::int64_t>(p.max_retries())); }},
    {vcl_variable::param_pipe_task_deadline,
     [](const param_block& p) { return value::of_real(p.pipe_task_deadline()); }},
    {vcl_variable::param_pipe_timeout, [](const param_block& p) { return value::of_real(p.pipe_timeout()); }},
    {vcl_variable::param_send_timeout, [](const param_block& p) { return value::of_real(p.send_timeout()); }},
    {vcl_variable::param_shortlived, [](const param_block& p) { return value::of_real(p.shortlived()); }},
    {vcl_variable::param_timeout_idle, [](const param_block& p) { return value::of_real(p.timeout_idle()); }},
    {vcl_variable::param_transit_buffer,
     [](const param_block& p) { return value::of_integer(static_cast<std::int64_t>(p.transit_buffer())); }},
    {vcl_variable::param_uncacheable_ttl, [](const param_block& p) { return value::of_real(p.uncacheable_ttl()); }},
};

} // namespace

bool read_param(vcl_variable variable, const param_block& params, value& out) noexcept {
    const auto* found =
        std::find_if(std::begin(rows), std::end(rows), [&](const row& r) { return r.variable == variable; });
    if (found == std::end(rows)) {
        return false;
    }
    out = found->read(params);
    return true;
}

} // namespace clearcoat::vcl
