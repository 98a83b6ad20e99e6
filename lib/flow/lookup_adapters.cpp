#include "flow/lookup_adapters.hpp"

#include "http/vary.hpp"

namespace clearcoat::flow {

bool request_vary::matches(std::string_view spec) noexcept {
    const bool matched = http::vary_matches(spec, request_, gzip_support_);
    if (!matched) {
        refused_ = spec;
    }
    return matched;
}

std::string_view request_vary::prediction() noexcept {
    return refused_.empty() ? std::string_view() : http::refill_vary(refused_, request_, request_.memory());
}

std::optional<std::string_view> request_ban_subject::header(std::string_view name) const noexcept {
    const http::field* f = request_.find(name);
    return f == nullptr ? std::nullopt : std::optional(f->value());
}

} // namespace clearcoat::flow
