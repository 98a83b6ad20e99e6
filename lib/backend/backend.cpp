#include "backend/backend.hpp"

#include "backend/probe.hpp"

#include <cerrno>
#include <utility>

#include <fmt/core.h>

namespace clearcoat::backend {

namespace {

/// What the reference sends as Host when neither .host_header nor the request has one: as declared, else the address.
std::string host_header_of(const vcl::backend_spec& spec, bool prefer_ipv6) {
    if (!spec.host_header.empty()) {
        return spec.host_header;
    }
    if (!spec.path.empty()) {
        return "0.0.0.0";
    }
    if (!spec.host.empty()) {
        return spec.host;
    }
    if (spec.ipv6 && (prefer_ipv6 || !spec.ipv4)) {
        return base::to_string(*spec.ipv6);
    }
    return spec.ipv4 ? base::to_string(*spec.ipv4) : "0.0.0.0";
}

/// What a backend without a probe shows.
std::string_view list_unprobed(vcl::director::listing form) noexcept {
    switch (form) {
    case vcl::director::listing::row:
        return "0/0\thealthy";
    case vcl::director::listing::details:
        return "";
    case vcl::director::listing::json:
        return "[0, 0, \"healthy\"]";
    case vcl::director::listing::json_details:
        return "{},\n";
    }
    return "";
}

} // namespace

void count_connect_error(tables::vbe_counters& counters, int error) noexcept {
    if (error == 0) {
        tables::bump(counters.helddown);
        return;
    }
    tables::bump(counters.fail);
    switch (error) {
    case EACCES:
    case EPERM:
        tables::bump(counters.fail_eacces);
        break;
    case EADDRNOTAVAIL:
        tables::bump(counters.fail_eaddrnotavail);
        break;
    case ECONNREFUSED:
        tables::bump(counters.fail_econnrefused);
        break;
    case ENETUNREACH:
        tables::bump(counters.fail_enetunreach);
        break;
    case ETIMEDOUT:
        tables::bump(counters.fail_etimedout);
        break;
    default:
        tables::bump(counters.fail_other);
        break;
    }
}

backend::backend(std::string_view vcl_name, const vcl::backend_spec& spec, std::shared_ptr<endpoint> where,
                 services& worker)
    : director(spec.name), display_name_(fmt::format("{}.{}", vcl_name, spec.name)), spec_(spec),
      host_header_(host_header_of(spec, worker.params().prefer_ipv6())), endpoint_(std::move(where)), worker_(worker),
      counters_(worker.add_counters(display_name_)) {
    note_change(worker.clock().real());
    worker.count_backends(1);
    if (spec.probe) {
        health_probe::target to{spec.name, host_header_, spec.proxy_header, endpoint_};
        probe_ = std::make_shared<health_probe>(*spec.probe, std::move(to), *counters_, worker);
    }
}

backend::~backend() {
    if (probe_) {
        probe_->detach();
    }
    worker_.count_backends(-1);
    worker_.remove_counters(*counters_);
}

vcl::director::health backend::state(vcl::host*) noexcept {
    return probe_ ? health{probe_->healthy(), probe_->changed()} : health{true, changed()};
}

std::string backend::list(listing form) {
    std::string out = probe_ ? probe_->list(form) : std::string(list_unprobed(form));
    if (form == listing::json_details) {
        const endpoint_address& address = endpoint_->address();
        for (const auto& [name, ip] : {std::pair("ipv4", &address.ipv4), std::pair("ipv6", &address.ipv6)}) {
            if (*ip) {
                out += fmt::format("\"{}\": \"{}\",\n", name, base::to_string(**ip));
            }
        }
    }
    return out;
}

base::seconds backend::pick_timeout(base::seconds task, const std::optional<base::seconds>& own,
                                    base::seconds parameter) noexcept {
    if (task > 0) {
        return task;
    }
    return own && *own > 0 ? *own : parameter;
}

bool backend::take_slot() noexcept {
    unsigned before = in_use_.load(std::memory_order_seq_cst);
    do {
        if (spec_.max_connections != 0 && before >= spec_.max_connections) {
            return false;
        }
    } while (!in_use_.compare_exchange_weak(before, before + 1, std::memory_order_seq_cst));
    return true;
}

void backend::release_slot() noexcept {
    in_use_.fetch_sub(1, std::memory_order_seq_cst);
    if (!queue_.empty()) {
        queue_.serve([this] { return take_slot(); });
    }
}

bool backend::wait_for_slot(slot_queue::waiter& w, std::size_t limit) {
    return queue_.enter(w, limit, [this] { return take_slot(); });
}

void backend::warm() {
    worker_.show_counters(*counters_, true);
    if (probe_) {
        probe_->start();
    }
}

void backend::cool() {
    if (probe_) {
        probe_->stop();
    }
    worker_.show_counters(*counters_, false);
}

} // namespace clearcoat::backend
