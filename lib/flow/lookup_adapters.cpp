#include "flow/lookup_adapters.hpp"

#include "http/vary.hpp"

namespace clearcoat::flow {

bool request_vary::matches(std::string_view spec) noexcept {
    return http::vary_matches(spec, request_, gzip_support_);
}

std::optional<std::string_view> request_ban_subject::header(std::string_view name) const noexcept {
    const http::field* f = request_.find(name);
    return f == nullptr ? std::nullopt : std::optional(f->value());
}

} // namespace clearcoat::flow
