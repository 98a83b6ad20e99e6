#include "vmod/registry.hpp"

namespace clearcoat::vmod {

const vcl::module_catalog& bundled_modules() {
    static const vcl::module_catalog catalog = [] {
        vcl::module_catalog all;
        for (const vcl::module_row* row :
             {&std_module,        &directors_module,  &cookie_module,  &purge_module, &blob_module,
              &unix_module,       &vtc_module,        &proxy_module,   &h2_module,    &debug_module,
              &accept_module,     &digest_module,     &dynamic_module, &math_module,  &querystring_module,
              &re_module,         &saintmode_module,  &str_module,     &uuid_module,  &var_module,
              &vsthrottle_module, &bodyaccess_module, &header_module,  &tcp_module,   &xkey_module}) {
            all.add(vcl::make_module(*row));
        }
        return all;
    }();
    return catalog;
}

} // namespace clearcoat::vmod
