// The native functions of module vtc, one for each row of its table (module.cpp).
#pragma once

#include "vmod/support/arguments.hpp"

namespace clearcoat::vmod::vtc {

// waiting.cpp
vcl::value barrier_sync(vcl::call& c, arguments args);
vcl::value sleep(vcl::call& c, arguments args);

// workspaces.cpp
vcl::value workspace_alloc(vcl::call& c, arguments args);
vcl::value workspace_reserve(vcl::call& c, arguments args);
vcl::value workspace_free(vcl::call& c, arguments args);
vcl::value workspace_snapshot(vcl::call& c, arguments args);
vcl::value workspace_reset(vcl::call& c, arguments args);
vcl::value workspace_overflowed(vcl::call& c, arguments args);
vcl::value workspace_overflow(vcl::call& c, arguments args);
vcl::value workspace_dump(vcl::call& c, arguments args);

// proxy_header.cpp
vcl::value proxy_header(vcl::call& c, arguments args);

// records.cpp
vcl::value vsl(vcl::call& c, arguments args);
vcl::value vsl_replay(vcl::call& c, arguments args);

} // namespace clearcoat::vmod::vtc
