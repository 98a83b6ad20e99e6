#include "flow/object_reader.hpp"

#include "http/status.hpp"

namespace clearcoat::flow {

std::string_view object_reader::status(const cache::object& o) const noexcept {
    return http::status_digits(head_of(o).status());
}

std::optional<std::string_view> object_reader::header(const cache::object& o, std::string_view name) const noexcept {
    std::string_view value = head_of(o).get(name);
    return value.data() == nullptr ? std::nullopt : std::optional(value);
}

} // namespace clearcoat::flow
