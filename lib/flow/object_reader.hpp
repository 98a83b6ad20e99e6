// The heads of objects as ban tests read them. Stateless, any thread.
#pragma once

#include "cache/ban_subject.hpp"
#include "cache/object.hpp"
#include "http/packed_head.hpp"

#include <span>

namespace clearcoat::flow {

/// The packed head of an object; valid as long as the object.
inline http::packed_head_view head_of(const cache::object& o) noexcept {
    return http::packed_head_view(std::as_bytes(std::span(o.head().data(), o.head().size())));
}

class object_reader final : public cache::object_reader {
  public:
    std::string_view status(const cache::object& o) const noexcept override;
    std::optional<std::string_view> header(const cache::object& o, std::string_view name) const noexcept override;
};

} // namespace clearcoat::flow
