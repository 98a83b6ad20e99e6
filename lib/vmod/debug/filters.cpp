// Filters of bodies: rot13, which can be seen, and debug.pedantic, which panics unless a body has exactly one end.
#include "vmod/debug/functions.hpp"

#include "base/panic.hpp"

namespace clearcoat::vmod::debug {

namespace {

char rotated(char c) noexcept {
    const char first = c >= 'a' && c <= 'z' ? 'a' : c >= 'A' && c <= 'Z' ? 'A' : '\0';
    return first == '\0' ? c : static_cast<char>((c - first + 13) % 26 + first);
}

class rot13 final : public vcl::body_filter {
  public:
    bool push(std::string_view in, bool, std::string& out) noexcept override {
        for (const char c : in) {
            out.push_back(rotated(c));
        }
        return true;
    }
};

class pedantic final : public vcl::body_filter {
  public:
    bool push(std::string_view in, bool last, std::string& out) noexcept override {
        CLEARCOAT_ASSERT(!ended_);
        ended_ = last;
        out.append(in);
        return true;
    }

  private:
    bool ended_ = false;
};

constexpr vcl::filter_row rows[] = {
    {"rot13", [](vcl::host&) -> std::unique_ptr<vcl::body_filter> { return std::make_unique<rot13>(); }},
    {"debug.pedantic", [](vcl::host&) -> std::unique_ptr<vcl::body_filter> { return std::make_unique<pedantic>(); },
     false},
};

} // namespace

const std::span<const vcl::filter_row> filters = rows;

} // namespace clearcoat::vmod::debug
