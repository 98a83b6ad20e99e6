// The modules that are built in: what `import NAME;` finds. One row a module, in its folder's module.cpp.
#pragma once

#include "vcl/module.hpp"

namespace clearcoat::vmod {

extern const vcl::module_row std_module;
extern const vcl::module_row directors_module;
extern const vcl::module_row cookie_module;
extern const vcl::module_row purge_module;
extern const vcl::module_row blob_module;
extern const vcl::module_row unix_module;
extern const vcl::module_row vtc_module;
extern const vcl::module_row proxy_module;
extern const vcl::module_row h2_module;
extern const vcl::module_row debug_module;
extern const vcl::module_row accept_module;
extern const vcl::module_row bodyaccess_module;
extern const vcl::module_row digest_module;
extern const vcl::module_row dynamic_module;
extern const vcl::module_row header_module;
extern const vcl::module_row math_module;
extern const vcl::module_row querystring_module;
extern const vcl::module_row re_module;
extern const vcl::module_row saintmode_module;
extern const vcl::module_row str_module;
extern const vcl::module_row tcp_module;
extern const vcl::module_row uuid_module;
extern const vcl::module_row var_module;
extern const vcl::module_row vsthrottle_module;
extern const vcl::module_row xkey_module;

/// Parsed once, on the first call; then readable from any thread.
const vcl::module_catalog& bundled_modules();

} // namespace clearcoat::vmod
