// task_host's answers for the variables that client and backend tasks share.
#include "flow/task_host.hpp"
#include "http/head.hpp"
#include "vcl/vm/param_variables.hpp"

#include <array>

namespace clearcoat::flow {

namespace {

using tables::vcl_variable;

/// Variables that are a part of some message's start line.
struct line_row {
    vcl_variable variable;
    vcl::message where;
    http::head_part part;
};
constexpr line_row line_rows[] = {
    {vcl_variable::req_method, vcl::message::req, http::head_part::method},
    {vcl_variable::req_url, vcl::message::req, http::head_part::url},
    {vcl_variable::req_proto, vcl::message::req, http::head_part::protocol},
    {vcl_variable::req_top_method, vcl::message::req_top, http::head_part::method},
    {vcl_variable::req_top_url, vcl::message::req_top, http::head_part::url},
    {vcl_variable::req_top_proto, vcl::message::req_top, http::head_part::protocol},
    {vcl_variable::bereq_method, vcl::message::bereq, http::head_part::method},
    {vcl_variable::bereq_url, vcl::message::bereq, http::head_part::url},
    {vcl_variable::bereq_proto, vcl::message::bereq, http::head_part::protocol},
    {vcl_variable::beresp_status, vcl::message::beresp, http::head_part::status},
    {vcl_variable::beresp_proto, vcl::message::beresp, http::head_part::protocol},
    {vcl_variable::beresp_reason, vcl::message::beresp, http::head_part::reason},
    {vcl_variable::resp_status, vcl::message::resp, http::head_part::status},
    {vcl_variable::resp_proto, vcl::message::resp, http::head_part::protocol},
    {vcl_variable::resp_reason, vcl::message::resp, http::head_part::reason},
};

/// The row of each variable by its number; 0 is none, others are one more than the row's index.
constexpr std::array<std::uint8_t, 256> line_row_numbers = [] {
    std::array<std::uint8_t, 256> numbers{};
    for (std::size_t i = 0; i < std::size(line_rows); ++i) {
        numbers[static_cast<std::size_t>(line_rows[i].variable)] = static_cast<std::uint8_t>(i + 1);
    }
    return numbers;
}();

const line_row* find_line(vcl_variable variable) noexcept {
    const std::uint8_t number = line_row_numbers[static_cast<std::size_t>(variable)];
    return number == 0 ? nullptr : &line_rows[number - 1];
}

vcl::value read_line(const http::head& h, http::head_part part) noexcept {
    switch (part) {
    case http::head_part::method:
        return vcl::value::of(h.method());
    case http::head_part::url:
        return vcl::value::of(h.url());
    case http::head_part::protocol:
        return vcl::value::of(h.protocol());
    case http::head_part::reason:
        return vcl::value::of(h.reason());
    default:
        return vcl::value::of_integer(h.status());
    }
}

void write_line(http::head& h, http::head_part part, std::string_view text) noexcept {
    switch (part) {
    case http::head_part::method:
        return h.set_method(text);
    case http::head_part::url:
        return h.set_url(text);
    case http::head_part::protocol:
        return h.set_protocol(text);
    default:
        return h.set_reason(text);
    }
}

vcl::value of_message(vcl::message which) noexcept {
    vcl::value v;
    v.http = which;
    return v;
}

} // namespace

vcl::value task_host::get(vcl_variable variable) noexcept {
    vcl::value out;
    if (const line_row* row = find_line(variable)) {
        if (const http::head* h = bound(row->where)) {
            out = read_line(*h, row->part);
        }
    } else if (!get_own(variable, out)) {
        get_shared(variable, out);
    }
    return out;
}

bool task_host::get_shared(vcl_variable variable, vcl::value& out) noexcept {
    switch (variable) {
    case vcl_variable::client_identity: {
        std::string_view own = identity();
        out = vcl::value::of(own.data() != nullptr ? own : std::string_view(session_->client_ip_text));
        return true;
    }
    case vcl_variable::client_ip:
        out = vcl::value::of(&session_->client_ip);
        return true;
    case vcl_variable::server_ip:
        out = vcl::value::of(&session_->server_ip);
        return true;
    case vcl_variable::remote_ip:
        out = vcl::value::of(&session_->remote_ip);
        return true;
    case vcl_variable::local_ip:
        out = vcl::value::of(&session_->local_ip);
        return true;
    case vcl_variable::local_endpoint:
        out = vcl::value::of(session_->local_endpoint);
        return true;
    case vcl_variable::local_socket:
        out = vcl::value::of(session_->local_socket);
        return true;
    default:
        return get_process_wide(variable, out);
    }
}

bool task_host::get_process_wide(vcl_variable variable, vcl::value& out) noexcept {
    switch (variable) {
    case vcl_variable::server_hostname:
        out = vcl::value::of(services_->hostname);
        return true;
    case vcl_variable::server_identity:
        out = vcl::value::of(services_->identity);
        return true;
    case vcl_variable::now:
        out = vcl::value::of_real(now_);
        return true;
    case vcl_variable::sess_xid:
        out = text_of(session_->vxid);
        return true;
    case vcl_variable::req:
        out = of_message(vcl::message::req);
        return true;
    case vcl_variable::bereq:
        out = of_message(vcl::message::bereq);
        return true;
    case vcl_variable::beresp:
        out = of_message(vcl::message::beresp);
        return true;
    case vcl_variable::resp:
        out = of_message(vcl::message::resp);
        return true;
    default:
        return vcl::read_param(variable, services_->params, out);
    }
}

void task_host::set(vcl_variable variable, const vcl::value& v) noexcept {
    if (set_own(variable, v)) {
        return;
    }
    const line_row* row = find_line(variable);
    if (row == nullptr || bound(row->where) == nullptr) {
        return;
    }
    if (row->part == http::head_part::status) {
        set_status(row->where, v.integer);
    } else {
        set_line(variable, v.string());
    }
}

void task_host::set_line(vcl_variable variable, std::string_view text) noexcept {
    const line_row* row = find_line(variable);
    std::string_view name = tables::row_of(variable).name;
    if (text.empty()) {
        return fail(fmt::format("Setting {} to empty string", name));
    }
    http::head& h = *bound(row->where);
    std::string_view kept = workspace_->copy(text);
    if (kept.data() == nullptr) {
        return fail(fmt::format("Workspace overflow ({})", name));
    }
    write_line(h, row->part, kept);
}

void task_host::set_status(vcl::message which, std::int64_t status) noexcept {
    std::string_view name = which == vcl::message::beresp ? "beresp" : "resp";
    if (status < 0) {
        fail(fmt::format("{}.status ({}) is negative", name, status));
    } else if (status > 65535) {
        fail(fmt::format("{}.status ({}) > 65535", name, status));
    } else if (status % 1000 < 100) {
        fail(fmt::format("illegal {}.status ({}) (..0##)", name, status));
    } else {
        bound(which)->set_status(static_cast<unsigned>(status));
    }
}

} // namespace clearcoat::flow
