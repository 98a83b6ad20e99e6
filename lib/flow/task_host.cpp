#include "flow/task_host.hpp"

#include "base/text_pieces.hpp"
#include "cache/index.hpp"
#include "flow/head_recorder.hpp"
#include "http/head.hpp"
#include "tables/bits.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"

#include <algorithm>

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

/// What feature validate_headers lets into a field: no control characters but the tab (RFC 9110 §5.5).
bool is_field_text(std::string_view text) noexcept {
    return std::all_of(text.begin(), text.end(), [](char c) {
        auto u = static_cast<unsigned char>(c);
        return (u >= 0x20 && u != 0x7f) || u == '\t';
    });
}

vcl::value of_message(vcl::message which) noexcept {
    vcl::value v;
    v.http = which;
    return v;
}

} // namespace

std::unique_ptr<vcl::task_private>& private_table::slot(const void* owner) {
    for (auto& r : rows_) {
        if (r->owner == owner) {
            return r->data;
        }
    }
    return rows_.emplace_back(std::make_unique<row>(owner, nullptr))->data;
}

void private_table::end(vcl::host& task) noexcept {
    // By number: whoever ends may ask for data once more.
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i]->data != nullptr) {
            rows_[i]->data->task_ends(task);
        }
    }
    rows_.clear();
}

task_host::task_host(services& svc, base::task_log& log, base::arena& workspace, waker_source& wakers,
                     const session_facts& session) noexcept
    : services_(&svc), log_(&log), workspace_(&workspace), wakers_(&wakers), session_(&session) {}

void task_host::enter(vcl::sub_id which, base::seconds now) noexcept {
    current_ = which;
    now_ = now;
    failed_ = false;
}

bool task_host::traces() const noexcept {
    return traces_.value_or(services_->params.feature(tables::feature::trace));
}

base::seconds task_host::mark(std::string_view event) noexcept {
    base::seconds now = services_->clock.real();
    times_.mark(*log_, event, now);
    return now;
}

std::string_view task_host::header(vcl::message where, std::string_view name) noexcept {
    const http::head* h = bound(where);
    return h == nullptr ? std::string_view() : h->get(name);
}

std::uint16_t header_number(std::string_view name) noexcept {
    return static_cast<std::uint16_t>(http::find_field_id(name));
}

std::string_view task_host::header(const vcl::header_ref& h) noexcept {
    const http::head* head = bound(h.where);
    if (head == nullptr || h.number == 0) {
        return header(h.where, h.name);
    }
    const http::field* f = head->find(static_cast<http::field_id>(h.number));
    return f == nullptr ? std::string_view() : f->value();
}

void task_host::set_header(vcl::message where, std::string_view name, std::string_view value) noexcept {
    http::head* h = bound(where);
    if (h != nullptr && is_fine_header(name, value)) {
        h->replace(name, value);
    }
}

/// Fails otherwise.
bool task_host::is_fine_header(std::string_view name, std::string_view value) noexcept {
    if (!services_->params.feature(tables::feature::validate_headers) ||
        (is_field_text(name) && is_field_text(value))) {
        return true;
    }
    std::string_view line = workspace_->copy(fmt::format("Bad header {}: {}", name, value));
    fail(line.data() == nullptr ? "Bad header" : line);
    return false;
}

void task_host::add_header(vcl::message where, std::string_view name, std::string_view value) noexcept {
    http::head* h = bound(where);
    if (h != nullptr && is_fine_header(name, value)) {
        h->add(name, value);
    }
}

void task_host::edit_headers(vcl::message where, const field_editor& edit) {
    http::head* h = bound(where);
    if (h == nullptr) {
        return;
    }
    const std::vector<http::field> before(h->fields().begin(), h->fields().end());
    h->drop_fields();
    std::string line;
    for (const http::field& f : before) {
        const field_fate fate = edit(f.text(), line);
        if (fate == field_fate::keep) {
            h->push_silently(f); // there was room for it
            continue;
        }
        if (h->listener() != nullptr) {
            h->listener()->head_changed(http::head_part::unset, f.text());
        }
        if (fate == field_fate::replace) {
            const std::string_view kept = h->keep(line);
            if (kept.data() != nullptr && is_fine_header(kept, {})) {
                h->add_line(kept);
            }
        }
    }
}

void task_host::unset_header(vcl::message where, std::string_view name) noexcept {
    if (http::head* h = bound(where)) {
        h->unset(name);
    }
}

void task_host::each_header(vcl::message where, const std::function<bool(std::string_view, std::string_view)>& visit) {
    const http::head* h = bound(where);
    if (h == nullptr) {
        return;
    }
    for (const http::field& f : h->fields()) {
        if (!visit(f.name(), f.value())) {
            return;
        }
    }
}

void task_host::collect_header(vcl::message where, std::string_view name, std::string_view separator) noexcept {
    if (http::head* h = bound(where)) {
        h->collect(name, separator);
    }
}

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
        return false;
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

void task_host::unset(vcl_variable) noexcept {}

void task_host::hash_data(std::string_view) noexcept {}

std::optional<std::string> task_host::ban(std::string_view expression) noexcept {
    std::string refused = services_->cache.bans().add_text(expression, services_->clock.real());
    if (refused.empty()) {
        return std::nullopt;
    }
    return refused;
}

void task_host::fail(std::string_view reason) noexcept {
    log_->write(log_tag::VCL_Error, reason);
    failed_ = true;
}

vcl::host::body_state task_host::cache_request_body(std::uint64_t) noexcept {
    return body_state::failed;
}

void task_host::each_request_body_part(const std::function<bool(std::string_view)>&) {}

std::int64_t task_host::purge(base::seconds, base::seconds, base::seconds) noexcept {
    return -1;
}

void task_host::timestamp(std::string_view label) noexcept {
    mark(label);
}

void task_host::late_100_continue(bool) noexcept {}

std::int64_t task_host::purge_surrogate_key(std::string_view key, bool soft) noexcept {
    return static_cast<std::int64_t>(services_->cache.purge_surrogate_key(key, services_->clock.real(), soft));
}

std::optional<vcl::peer_credentials> task_host::peer() noexcept {
    return session_->peer;
}

std::string_view task_host::proxy_tlv(std::uint8_t type) noexcept {
    if (session_->proxy_tlvs == nullptr) {
        return {};
    }
    const auto found = session_->proxy_tlvs->find(type);
    return found == session_->proxy_tlvs->end() ? std::string_view() : std::string_view(found->second);
}

std::shared_ptr<vcl::wakeup> task_host::suspend() {
    return wakers_->make_waker();
}

std::unique_ptr<vcl::task_private>& task_host::private_data(vcl::private_scope, const void* owner) {
    return task_privates_.slot(owner);
}

vcl::value task_host::text_of(std::uint64_t number) noexcept {
    return vcl::value::of(keep(base::digits(number).text()));
}

std::string_view task_host::keep(std::string_view text) noexcept {
    std::string_view kept = workspace_->copy(text);
    if (kept.data() == nullptr) {
        fail("Workspace overflow");
    }
    return kept;
}

} // namespace clearcoat::flow
