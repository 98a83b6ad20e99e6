#include "backend/backend_set.hpp"

#include "base/panic.hpp"
#include "net/proxy_preamble.hpp"

#include <algorithm>

namespace clearcoat::backend {

namespace {

/// `backend x none;`: never picked, never listed.
class no_backend final : public vcl::director {
  public:
    using director::director;
    health state(vcl::host*) noexcept override { return {false, 0}; }
    vcl::director* resolve(vcl::host&) noexcept override { return nullptr; }
    std::string list(listing form) override { return form == listing::json ? "[0, 0, \"sick\"]" : "0/0\tsick"; }
    std::string_view kind() const noexcept override { return "none"; }
};

endpoint_address address_of(const vcl::backend_spec& spec) {
    endpoint_address made;
    made.path = spec.path;
    made.preamble = spec.preamble;
    if (spec.path.empty()) {
        made.ipv4 = spec.ipv4;
        made.ipv6 = spec.ipv6;
    }
    return made;
}

/// Behind .via: connects where the other backend is, and tells it in a PROXY preamble where to go. Nobody's connection
/// is passed on, so no client is named.
endpoint_address address_via(const vcl::backend_spec& spec, const backend& via, bool prefer_ipv6) {
    endpoint_address made = address_of(via.spec());
    const auto& first = prefer_ipv6 ? spec.ipv6 : spec.ipv4;
    const base::ip_address to = first ? *first : (prefer_ipv6 ? spec.ipv4 : spec.ipv6).value_or(base::bogus_ip);
    base::ip_address nobody;
    nobody.kind = to.kind;
    made.preamble = net::format_proxy_preamble(2, nobody, to, spec.authority);
    return made;
}

} // namespace

backend_set::backend_set(std::string vcl_name, endpoint_table& endpoints, services& worker)
    : vcl_name_(std::move(vcl_name)), endpoints_(endpoints), worker_(worker) {}

backend_set::~backend_set() {
    if (warm_) {
        cool();
    }
}

vcl::director& backend_set::add_backend(const vcl::backend_spec& spec) {
    if (is_cold()) {
        base::panic(__FILE__, __LINE__, "add_backend", "Dynamic Backends can only be added to warm VCLs");
    }
    return make_backend(spec);
}

vcl::director& backend_set::make_backend(const vcl::backend_spec& spec) {
    if (spec.none) {
        std::lock_guard lock(mutex_);
        nones_.push_back(std::make_unique<no_backend>(spec.name));
        return *nones_.back();
    }
    const backend* via = spec.via.empty() ? nullptr : find_backend(spec.via);
    auto where = endpoints_.find_or_add(via != nullptr ? address_via(spec, *via, worker_.params().prefer_ipv6())
                                                       : address_of(spec));
    auto made = std::make_unique<backend>(vcl_name_, spec, std::move(where), worker_);
    std::lock_guard lock(mutex_);
    if (warm_) {
        made->warm();
    }
    directors_.push_back(made.get());
    backends_.push_back(std::move(made));
    return *backends_.back();
}

void backend_set::add_director(vcl::director& d) {
    d.note_change(worker_.clock().real());
    std::lock_guard lock(mutex_);
    directors_.push_back(&d);
}

void backend_set::remove_director(vcl::director& d) noexcept {
    std::lock_guard lock(mutex_);
    std::erase(directors_, &d);
}

vcl::director* backend_set::find_director(std::string_view name) noexcept {
    std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(directors_.begin(), directors_.end(), [name](auto* d) { return d->name() == name; });
    return found == directors_.end() ? nullptr : *found;
}

backend* backend_set::find_backend(std::string_view name) noexcept {
    std::lock_guard lock(mutex_);
    const auto found = std::find_if(backends_.begin(), backends_.end(), [name](auto& b) { return b->name() == name; });
    return found == backends_.end() ? nullptr : found->get();
}

void backend_set::log(std::string_view text) noexcept {
    worker_.log(log_tag::VCL_Log, text);
}

void backend_set::warm() {
    std::lock_guard lock(mutex_);
    warm_ = true;
    for (auto& b : backends_) {
        b->warm();
    }
}

void backend_set::cool() {
    std::lock_guard lock(mutex_);
    warm_ = false;
    for (auto& b : backends_) {
        b->cool();
    }
}

} // namespace clearcoat::backend
