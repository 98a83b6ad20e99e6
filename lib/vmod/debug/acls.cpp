// ACLs as values.
#include "vmod/debug/functions.hpp"

#include "tables/log_tags.hpp"
#include "vcl/vm/acl.hpp"

namespace clearcoat::vmod::debug {

namespace {

class acl_object final : public vcl::module_object {
  public:
    explicit acl_object(const vcl::acl* which) noexcept : acl_(which) {}
    const vcl::acl* which() const noexcept { return acl_; }

  private:
    const vcl::acl* acl_;
};

vcl::value value_of(const vcl::acl* which) noexcept {
    vcl::value v;
    v.acl = which;
    return v;
}

} // namespace

vcl::value null_acl(vcl::call&, arguments) {
    return value_of(nullptr);
}

// match_acl(ACL acl, IP ip)
vcl::value match_acl(vcl::call& c, arguments args) {
    if (args[0].acl == nullptr || args[1].ip == nullptr) {
        c.fail(args[0].acl == nullptr ? "Cannot match a null ACL" : "Cannot match a null IP address");
        return vcl::value::of(false);
    }
    return vcl::value::of(args[0].acl->match(*args[1].ip));
}

// aclobj(ACL)
made new_aclobj(vcl::call&, std::string_view, arguments args) {
    return std::make_unique<acl_object>(args[0].acl);
}

vcl::value aclobj_get(vcl::call& c, arguments) {
    return value_of(c.self<acl_object>().which());
}

} // namespace clearcoat::vmod::debug
