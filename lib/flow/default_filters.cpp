#include "flow/default_filters.hpp"

#include "http/conditional.hpp"
#include "tables/param_block.hpp"

namespace clearcoat::flow {

std::string_view default_filters(request& r) noexcept {
    char text[32];
    std::size_t size = 0;
    auto add = [&](std::string_view name) {
        text[size++] = ' '; // before the first, too, as logs and VCL that compares have always had it
        size += name.copy(text + size, name.size());
    };
    const cache::object* o = r.object.get();
    if (!r.esi_disabled && o != nullptr && o->has(cache::object_flag::esi)) {
        add("esi");
    }
    if (r.svc.params.http_gzip_support() && o != nullptr && o->has(cache::object_flag::gzipped) &&
        !http::accepts_gzip(r.head)) {
        add("gunzip");
    }
    if (r.svc.params.http_range_support() && r.response.status() == 200 && r.head.has(http::field_id::range)) {
        add("range");
    }
    return r.workspace.copy({text, size});
}

} // namespace clearcoat::flow
