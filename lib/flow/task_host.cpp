#include "flow/task_host.hpp"

#include "base/text_pieces.hpp"
#include "cache/index.hpp"
#include "tables/bits.hpp"
#include "tables/log_tags.hpp"
#include "tables/param_block.hpp"

namespace clearcoat::flow {

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

base::regex_limits task_host::regex_limits() const noexcept {
    return {svc().params.pcre2_match_limit(), svc().params.pcre2_depth_limit()};
}

void task_host::unset(tables::vcl_variable) noexcept {}

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
