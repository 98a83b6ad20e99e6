// Module purge: vmod_purge(3).
#include "vmod/registry.hpp"
#include "vmod/support/arguments.hpp"

namespace clearcoat::vmod {

namespace {

vcl::value change_all(vcl::call& c, base::seconds ttl, base::seconds grace, base::seconds keep) {
    if (c.where() != vcl::sub_id::hit && c.where() != vcl::sub_id::miss) {
        c.fail("purge can only happen in vcl_hit{} or vcl_miss{}");
        return vcl::value::of_integer(0);
    }
    const std::int64_t count = c.task().purge(ttl, grace, keep);
    return vcl::value::of_integer(count < 0 ? 0 : count);
}

vcl::value hard(vcl::call& c, arguments) {
    return change_all(c, 0, 0, 0);
}

// soft(DURATION ttl=0, DURATION grace=-1, DURATION keep=-1)
vcl::value soft(vcl::call& c, arguments args) {
    return change_all(c, args[0].real, args[1].real, args[2].real);
}

constexpr vcl::function_row functions[] = {
    {"INT hard()", hard},
    {"INT soft(DURATION ttl=0, DURATION grace=-1, DURATION keep=-1)", soft},
};

} // namespace

const vcl::module_row purge_module{"purge", "removing or expiring every variant of an object", functions};

} // namespace clearcoat::vmod
