#include "flow/delivery_plan.hpp"

#include "base/ascii.hpp"
#include "base/text_pieces.hpp"
#include "cache/object.hpp"
#include "flow/default_filters.hpp"
#include "flow/module_filter.hpp"
#include "flow/request.hpp"
#include "http/conditional.hpp"
#include "http/h1/framing.hpp"
#include "http/range.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"
#include "vcl/vm/host.hpp"
#include "vcl/vm/instance.hpp"

#include <fmt/core.h>

namespace clearcoat::flow {

using tables::close_reason;

namespace {

void plan_gunzip(request& r, delivery_plan& plan) noexcept {
    plan.gunzip = true;
    ++r.svc.counters.n_gunzip;
    plan.length = -1;
    r.response.unset(http::field_id::content_encoding);
    const cache::object& o = *r.object;
    if (!plan.esi && o.state() == cache::object_state::finished && o.gzip() != nullptr && o.gzip()->plain_length != 0) {
        plan.length = static_cast<std::int64_t>(o.gzip()->plain_length);
    }
}

void plan_esi(request& r, delivery_plan& plan) noexcept {
    plan.esi = true;
    http::weaken_etag(r.response);
    if (plan.length != 0) {
        plan.length = -1;
    }
}

void refuse_range(request& r, delivery_plan& plan, std::string_view why) noexcept {
    r.log.print(log_tag::Debug, "RANGE_FAIL {}", why);
    if (plan.length >= 0) {
        r.response.add(http::field_id::content_range, fmt::format("bytes */{}", plan.length));
    }
    r.response.set_protocol("HTTP/1.1");
    r.response.set_status(416);
    plan.length = 0;
}

void plan_range(request& r, delivery_plan& plan) noexcept {
    if (!http::if_range_allows(r.head, r.response)) {
        return;
    }
    std::optional<std::uint64_t> whole;
    if (plan.length >= 0) {
        whole = static_cast<std::uint64_t>(plan.length);
    }
    const http::range_decision d = http::decide_range(r.head.get(http::field_id::range), whole);
    if (d.what == http::range_decision::action::unsatisfiable) {
        refuse_range(r, plan, d.error);
        return;
    }
    if (d.what == http::range_decision::action::whole) {
        return;
    }
    const std::string total = whole ? fmt::format("{}", *whole) : "*";
    r.response.add(http::field_id::content_range, fmt::format("bytes {}-{}/{}", d.low, d.high, total));
    r.response.set_protocol("HTTP/1.1");
    r.response.set_status(206);
    plan.ranged = true;
    plan.window = body::range_window(d.low, d.high);
    plan.length = static_cast<std::int64_t>(d.high - d.low + 1);
}

enum class module_verdict { taken, unknown, refused };

/// A filter of a module works on what the filters before it made of the whole body, so only a range may follow. Of a
/// page with ESI that is the page with its fragments in place.
module_verdict plan_module(request& r, vcl::host& task, delivery_plan& plan, std::string_view name) noexcept {
    const vcl::filter_row* row = task.program().filter(name);
    if (row == nullptr || !row->for_delivery) {
        return module_verdict::unknown;
    }
    if (plan.ranged) {
        r.log.print(log_tag::Error, "Filter {} cannot follow range", name);
        return module_verdict::refused;
    }
    // DIFFERS: the reference lets such a filter change the gzip stream of a fragment and then puts that into the
    // page's.
    if (!r.is_top() && !plan.gunzip && r.object->has(cache::object_flag::gzipped)) {
        plan_gunzip(r, plan);
    }
    auto made = row->make(task);
    if (made == nullptr) {
        r.log.print(log_tag::Error, "Failure to push {}", name);
        return module_verdict::refused;
    }
    plan.modules.push_back(std::make_unique<module_filter>(*row, std::move(made)));
    // DIFFERS: the reference leaves the length to the module, which may forget it.
    if (plan.length != 0) {
        plan.length = -1;
    }
    return module_verdict::taken;
}

bool apply_filters(request& r, vcl::host& task, delivery_plan& plan, std::string_view list) noexcept {
    bool first = true;
    while (!(list = base::trim_blanks(list)).empty()) {
        const std::size_t end = std::min(list.find_first_of(" \t"), list.size());
        const std::string_view name = list.substr(0, end);
        if (name == "gunzip" && plan.modules.empty()) {
            plan_gunzip(r, plan);
        } else if (name == "range") {
            plan_range(r, plan);
        } else if (name == "esi") {
            // The program tells apart the stored body, not what another filter made of it.
            if (first && r.object->has(cache::object_flag::esi)) {
                plan_esi(r, plan);
            }
        } else if (const module_verdict v = plan_module(r, task, plan, name); v != module_verdict::taken) {
            if (v == module_verdict::unknown) {
                r.log.print(log_tag::Error, "Filter '...{}' not found", list);
            }
            return false;
        }
        list.remove_prefix(end);
        first = false;
    }
    return true;
}

/// Content-Length as the response is to carry it.
void set_length(request& r, const delivery_plan& plan, std::int64_t announced, bool head) noexcept {
    const unsigned status = r.response.status();
    if (status < 200 || status == 204 || status == 304) {
        r.response.unset(http::field_id::content_length);
        return;
    }
    if (announced >= 0 && announced == plan.length) {
        return;
    }
    if (head && r.object->has(cache::object_flag::hit_for_miss)) {
        // Whether the filters would change the length cannot be known without the body.
        return;
    }
    r.response.unset(http::field_id::content_length);
    if (plan.length >= 0) {
        r.response.add(http::field_id::content_length, base::digits(plan.length).text());
    }
}

} // namespace

bool plan_delivery(request& r, vcl::host& task, delivery_plan& plan) noexcept {
    plan = {};
    const auto length = http::h1::content_length_of(r.response);
    const std::int64_t announced =
        length.what == http::h1::content_length::state::valid ? static_cast<std::int64_t>(length.value) : -1;
    const cache::object_progress progress = r.object->progress();
    plan.length =
        progress.state == cache::object_state::finished ? static_cast<std::int64_t>(progress.length) : announced;

    const bool head = r.original.method() == "HEAD";
    unsigned status = r.response.status();
    plan.send_body = !(head || status < 200 || status == 204 || status == 304);

    const std::string_view filters = r.filters.data() != nullptr ? r.filters : default_filters(r);
    r.log.write(log_tag::Filters, filters);
    if (!apply_filters(r, task, plan, filters)) {
        return false;
    }
    set_length(r, plan, announced, head);
    if (plan.length == 0) {
        plan.send_body = false;
    }
    return true;
}

void frame_http1(request& r, delivery_plan& plan) noexcept {
    http::head& resp = r.response;
    const bool says_close = resp.is(http::field_id::connection, "close");
    if (r.closing == close_reason::none && says_close) {
        r.closing = close_reason::resp_close;
    } else if (r.closing != close_reason::none) {
        if (!says_close) {
            resp.unset(http::field_id::connection);
            resp.add_line("Connection: close");
        }
    } else if (!resp.has(http::field_id::connection)) {
        resp.add_line("Connection: keep-alive");
    }
    if (!plan.send_body || resp.has(http::field_id::content_length)) {
        return;
    }
    if (r.head.version() == 11) {
        plan.chunked = true;
        resp.add_line("Transfer-Encoding: chunked");
    } else {
        r.closing = close_reason::tx_eof;
    }
}

} // namespace clearcoat::flow
