// How the cache sees a request: the Vary comparison and what ban tests look at. Made on the stack for one lookup.
#pragma once

#include "cache/ban_subject.hpp"
#include "cache/lookup.hpp"
#include "http/head.hpp"

namespace clearcoat::flow {

class request_vary final : public cache::vary_matcher {
  public:
    /// `request` outlives it; `gzip_support` is parameter http_gzip_support.
    request_vary(const http::head& request, bool gzip_support) noexcept
        : request_(request), gzip_support_(gzip_support) {}
    bool matches(std::string_view spec) noexcept override;
    std::string_view prediction() noexcept override;

  private:
    const http::head& request_;
    std::string_view refused_; // the last specification that did not match; lives as long as its object is in the index
    bool gzip_support_;
};

class request_ban_subject final : public cache::ban_subject {
  public:
    explicit request_ban_subject(const http::head& request) noexcept : request_(request) {}
    std::string_view url() const noexcept override { return request_.url(); }
    std::optional<std::string_view> header(std::string_view name) const noexcept override;

  private:
    const http::head& request_;
};

} // namespace clearcoat::flow
